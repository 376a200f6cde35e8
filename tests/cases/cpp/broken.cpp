int before() { return 1; }
class Broken {
  void fine();
  int oops( { }
};
void Foo::quiet() NOEXCEPT { stop(); }
int kept() NOEXCEPT { return 2; }
int after() { return 3; }
