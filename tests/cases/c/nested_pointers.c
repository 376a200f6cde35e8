char *one(void) { return 0; }
char **two(void) { return 0; }
char ***three(char ***deep) { return 0; }
int (*chooser(int kind))(int) { return 0; }
