/// A box.
template <typename T, int N = 3>
class Box {
 public:
  Box(T value);
  template <class U> U as() const;
};
template <>
class Box<int> {
 public:
  Box(int value);
  int raw;
};
template <typename T> void swap_them(T& a, T& b) {}
template <> void swap_them<int>(int& a, int& b) {}
template <class T> constexpr T zero = T(0);
template <class T> requires Small<T> struct Tiny {};
template <class T> Box(T) -> Box<T>;
