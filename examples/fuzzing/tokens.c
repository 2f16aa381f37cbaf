/* Counts words, numbers and blanks at the ends of lines. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  size_t room = 4096, used = 0;
  char *text = malloc(room + 1);
  for (size_t got; (got = fread(text + used, 1, room - used, file)) > 0;) {
    used += got;
    if (used == room) text = realloc(text, (room *= 2) + 1);
  }
  fclose(file);
  text[used] = 0;
  *length = used;
  return text;
}

/* A blank ends a line when nothing but blanks follows up to its newline. */
static int ends_line(const char *at) {
  while (*at == ' ') at++;
  return *at == '\n' || *at == 0;
}

int main(int argc, char **argv) {
  size_t length = 0, words = 0, numbers = 0, trailing = 0;
  char *text = argc > 1 ? read_all(argv[1], &length) : NULL;
  if (!text) return 2;
  for (char *at = text; *at;) {
    if (*at == ' ') {
      trailing += ends_line(at); /* looks at the whole run of blanks again for each of them */
      at++;
    } else if (isdigit((unsigned char)*at)) {
      while (isdigit((unsigned char)*at)) at++;
      numbers++;
    } else if (isalpha((unsigned char)*at)) {
      while (isalnum((unsigned char)*at)) at++;
      words++;
    } else {
      at++;
    }
  }
  printf("%zu words, %zu numbers, %zu trailing blanks\n", words, numbers, trailing);
  free(text);
  return 0;
}
