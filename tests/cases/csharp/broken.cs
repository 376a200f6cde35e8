class Before { void Fine() { } }
class Broken
{
    void Kept() { int x = ; }
    int Half(int a { return a; }
    void Also() { }
}
class After { }
