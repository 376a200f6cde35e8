auto twice = [](int x) { return x * 2; };
struct S {
  std::function<int(int)> on = [](int y) { return y; };
};
void f() {
  auto local = [k = 1](auto&&... xs) mutable -> int { return k; };
  run([](int a, int b = 2) { return a; });
}
