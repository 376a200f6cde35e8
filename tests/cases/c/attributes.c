/* Never returns. */
__attribute__((noreturn)) void die(const char *why);
[[nodiscard]] int must_use(void) { return 1; }
__declspec(dllexport) int exported;
int tail(void) __attribute__((pure));
