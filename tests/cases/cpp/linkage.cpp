extern "C" {
int in_block(int a);
void also();
}
/// Alone.
extern "C" int alone(const char* s);
#ifdef DEBUG
void trace(int level) {}
#else
inline void trace(int) {}
#endif
