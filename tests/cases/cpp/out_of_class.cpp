void Foo::bar() {}
int& ns::Foo::baz(int a) const { return a; }
const char* a::b::Foo::deep() { return 0; }
ns::Foo::Foo(int a) : a_(a) {}
ns::Foo::Foo() = default;
ns::Foo::~Foo() {}
Foo& Foo::operator=(const Foo& other) { return *this; }
Foo::operator bool() const { return true; }
template <class T> T* List<T>::first() { return head; }
template <class T> List<T>::List(int n) {}
template <> void List<int>::reset();
int Foo::count = 0;
const int ns::Foo::limit = 3;
