#ifdef __cplusplus
extern "C" {
#endif
/* Opens it. */
int open_it(const char *path);
#ifdef __cplusplus
}
#endif
