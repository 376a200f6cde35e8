struct V {
  V operator+(const V& o) const;
  V& operator+=(const V& o) { return *this; }
  bool operator==(const V&) const = default;
  int operator()(int x);
  int operator[](int i);
  operator int() const { return 0; }
  explicit operator const char*() const;
  void* operator new(unsigned long size);
};
V operator-(V a, V b);
long double operator""_km(long double v);
