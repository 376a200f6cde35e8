class A {
 public:
  A();
  A(int x) : x_(x) {}
  A(const A&) = delete;
  explicit A(Other);
  virtual ~A();
  ~A() = default;
 private:
  int x_;
};
struct B : A {
  B() try : A() {
  } catch (...) {
  }
  using A::A;
};
