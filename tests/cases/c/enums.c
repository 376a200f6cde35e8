/* The colours. */
enum color { RED, GREEN = 2, BLUE };
enum { FIRST, SECOND };
enum color favorite = GREEN;
