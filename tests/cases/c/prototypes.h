/* Reads a line. */
int read_line(char *buffer, unsigned long size);
char **split(const char *, int, char (*)[3]);
void (*handler(int signal, void (*action)(int)))(int);
int (guarded)(int a);
void nothing(void);
int variadic(const char *format, ...);
