// Builds an index of words in several phases; what it allocates is known.
#include <cstdlib>
#include <cstring>
#include <ctime>

struct Word { char *text; Word *next; };
static Word *buckets[64];
static volatile long sink;

static void wait_a_little() {
  timespec pause{0, 400 * 1000};
  nanosleep(&pause, nullptr);
}

static char *read_text(size_t bytes) {
  char *text = static_cast<char *>(malloc(bytes));
  for (size_t i = 0; i < bytes; i++) text[i] = 'a' + i * 7 % 26;
  return text;
}

static void add_word(const char *from, size_t length) {
  Word *word = static_cast<Word *>(malloc(sizeof(Word)));
  word->text = static_cast<char *>(calloc(length + 1, 1));
  memcpy(word->text, from, length);
  word->next = buckets[*from % 64];
  buckets[*from % 64] = word;
}

static void build_index(const char *text, size_t bytes) {
  for (size_t at = 0; at + 24 < bytes; at += 24) {
    add_word(text + at, 4 + at / 24 % 16);
    if (at / 24 % 16 == 0) wait_a_little();
  }
}

static long *sort_counts(int count) {
  long *counts = static_cast<long *>(malloc(count * sizeof(long)));
  for (int i = 0; i < count; i++) counts[i] = (i * 7919L) % count;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++)
      if (counts[j] < counts[i]) { long t = counts[i]; counts[i] = counts[j]; counts[j] = t; }
  return counts;
}

static void drop_index() {
  for (auto &bucket : buckets)
    while (bucket != nullptr) {
      Word *next = bucket->next;
      free(bucket->text);
      free(bucket);
      bucket = next;
    }
}

int main() {
  char *cache = nullptr;
  for (int round = 1; round <= 4; round++) {
    size_t bytes = 1000u * round;
    char *text = read_text(bytes);
    build_index(text, bytes);
    free(text);
    cache = static_cast<char *>(realloc(cache, 8000u * round));
    long *counts = sort_counts(100 * round);
    sink = counts[0];
    free(counts);
    if (round != 3) drop_index();
    wait_a_little();
  }
  return 0;
}
