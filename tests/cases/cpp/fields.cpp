struct S {
  int a, *b = nullptr, c[2];
  static int shared;
  static const int kOld = 1;
  static constexpr double kNew = 2.0, kMore = 3;
  const int fixed = 4;
  std::vector<int> list{1, 2};
  int& ref;
  unsigned bits : 3;
  void (*callback)(int code);
  union { int i; float f; };
  struct { int x; } nested;
  [[no_unique_address]] Empty empty;
};
