/// Use it.
[[nodiscard]] int must(int a);
class [[deprecated("old")]] Old {};
__attribute__((noinline)) void slow() {}
struct S { [[maybe_unused]] int a; int b [[maybe_unused]]; };
