/* Without a C library, so that every function is in the program. */
static volatile double sink;
__attribute__((noinline)) static void inner(long rounds) {
  for (long at = 0; at < rounds; at++) sink += 1.0 / (double)(at + 1);
}
__attribute__((noinline)) static void side(long rounds) {
  for (long at = 0; at < rounds; at++) sink += 1;
}
__attribute__((noinline)) void outer(long rounds) {
  inner(rounds);
  side(rounds);
  inner(rounds / 4);
  sink += 1;
}
__attribute__((noinline)) static long fork_once(void) {
  long result = 57;
  __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
  return result;
}
__attribute__((noreturn)) static void leave(void) {
  __asm__ volatile("syscall" : : "a"(231L), "D"(0L) : "rcx", "r11");
  __builtin_unreachable();
}
__attribute__((force_align_arg_pointer)) void _start(void) {
  long child = fork_once();
  for (int at = 0; at < 12; at++) outer(child == 0 ? 600000 : 900000);
  leave();
}
