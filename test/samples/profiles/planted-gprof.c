#include <stdio.h>
/* A program with a known call graph: main calls sort and hash, both call mix; walk calls itself. */
static volatile unsigned long sink;
__attribute__((noinline)) unsigned long mix(unsigned long x) { for (int i = 0; i < 4000; i++) x = x * 6364136223846793005UL + 1; return x; }
__attribute__((noinline)) unsigned long hash(unsigned long n) { unsigned long s = 0; for (unsigned long i = 0; i < n; i++) s ^= mix(i); return s; }
__attribute__((noinline)) unsigned long sort(unsigned long n) { unsigned long s = 0; for (unsigned long i = 0; i < n; i++) { s += mix(i); for (int j = 0; j < 2000; j++) s = s * 31 + j; } return s; }
__attribute__((noinline)) unsigned long walk(int depth) { unsigned long s = mix(depth) & 1; if (depth > 0) s += walk(depth - 1) + walk(depth - 1); return s; }
int main(void) { sink = hash(60000); sink += sort(40000); sink += walk(15); printf("%d\n", (int)(sink & 1)); return 0; }
