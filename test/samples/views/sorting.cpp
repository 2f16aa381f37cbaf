// Three functions whose cost grows with the size of what they work on.
#include <cstdlib>
#include "perfkeep.h"

static volatile long sink;

void insertion_sort(int *values, int size) {
  PERFKEEP_SIZE(size);
  for (int i = 1; i < size; i++)
    for (int j = i; j > 0 && values[j - 1] > values[j]; j--) {
      int value = values[j];
      values[j] = values[j - 1];
      values[j - 1] = value;
    }
}

void sum_up(const int *values, int size) {
  PERFKEEP_SIZE(size);
  for (int round = 0; round < 40; round++)
    for (int i = 0; i < size; i++) sink += values[i];
}

void look_up(const int *values, int size) {
  PERFKEEP_SIZE(size);
  for (int round = 0; round < 2000; round++) {
    int low = 0, high = size;
    while (low < high) {
      int middle = (low + high) / 2;
      if (values[middle] < round) low = middle + 1; else high = middle;
    }
    sink += low;
  }
}

int main() {
  for (int size = 50; size <= 1500; size += 50) {
    int *values = static_cast<int *>(malloc(size * sizeof(int)));
    for (int i = 0; i < size; i++) values[i] = size - i;
    sum_up(values, size);
    insertion_sort(values, size);
    look_up(values, size);
    free(values);
  }
}
