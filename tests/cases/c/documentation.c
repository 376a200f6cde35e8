/* Far away, so not about it. */

int lone;

// First line,
// second line.
int documented; /* trailing */
/** Block. */
int function(void) { return 0; }
