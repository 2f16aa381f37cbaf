#include <chrono>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <sys/prctl.h>
// Spins for parts of a second in functions with names that are hard to read.
static double spent(double seconds) {
  auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  double sum = 0;
  while (std::chrono::steady_clock::now() < until) sum += 1;
  return sum;
}
namespace deep {
struct Sorter {
  template <class Key, class Value>
  __attribute__((noinline)) double operator()(Key, Value *) const { double sum = spent(0.03); __asm__ volatile(""); return sum + 1; }
};
}
__attribute__((noinline)) double kernel(int file) {
  char page[65536];
  double sum = 0;
  for (int i = 0; i < 400; i++) sum += pread(file, page, sizeof page, 0);
  __asm__ volatile("");
  return sum;
}
__attribute__((noinline)) double add(int depth) { double sum = depth > 0 ? add(depth - 1) : spent(0.01); __asm__ volatile(""); return sum + 1; }
int main() {
  prctl(PR_SET_NAME, "a (b) 12 [3]");
  FILE *self = fopen("/proc/self/exe", "r");
  double sum = deep::Sorter()(std::pair<int, long>(), (std::string *)nullptr) + kernel(fileno(self)) + add(3);
  printf("%f\n", sum);
}
