void f(std::mutex& m) {
  std::lock_guard<std::mutex> lock(m);
  Foo made(1), braced{2};
  auto [x, y] = pair();
  const auto& ref = x;
  int *p = &x, **q;
  for (auto* item : items) use(item);
  for (int i = 0; i < 3; i++) {}
  if (int n = count()) {}
  try {} catch (const Error& e) {} catch (...) {}
  struct Local { int z; void go() {} };
  delete p;
}
