#include <stdlib.h>
#include <string.h>

struct node { struct node *next; char load[24]; };

static struct node *push(struct node *first) {
  struct node *made = malloc(sizeof *made);
  made->next = first;
  return made;
}

static char *twice(char *text, size_t size) {
  return realloc(text, 2 * size);
}

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 1000; i++) list = push(list);
  char *text = calloc(50, 20);
  text = twice(text, 1000);
  memset(text, 7, 2000);
  for (int i = 0; i < 10; i++) free(malloc(300));
  free(text);
  for (int i = 0; i < 900; i++) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
