class C
{
    static C() { }
    public C() : this(1) { }
    C(int a) : base(a) => b = a;
    ~C() { }
}
class Primary(int seed, string name = "x") : C(seed) { }
