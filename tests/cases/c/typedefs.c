typedef int number;
typedef unsigned long uint64_t, *ulong_ptr;
typedef int matrix[3][3];
typedef void (*callback)(int code, void *data);
typedef int function(int);
typedef struct { int x; } point, *point_ptr;
/* A named struct and its typedef. */
typedef struct node { struct node *next; } node;
typedef enum { LOW, HIGH = 4 } level;
typedef union { int i; float f; } either;
typedef struct { int hidden; } *opaque;
