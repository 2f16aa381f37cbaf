/*
 * Runs one program and reports what it took. Node can start programs but not wait4(2) for them, so it starts this, which
 * writes one line to file descriptor 3:
 *   done <wall ns> <user us> <system us> <peak resident KiB> <exit status or -> <signal or ->
 *   error <errno>                                            the program could not be started
 * It is kept tiny because the kernel counts the memory of the process that forks into the peak of the one it starts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { REPORT = 3 };

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* Signals go to the whole group; this process outlives them to report how the program ended. */
static void handle_signals(void (*disposition)(int)) {
  for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) signal(forwarded[i], disposition);
}

/* Neither this process nor the program outlives a parent that was killed. */
static void die_with_parent(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
#else
  (void)parent;
#endif
}

static void become(char **argv, int gate, pid_t parent) {
  handle_signals(SIG_DFL);
  die_with_parent(parent);
  close(REPORT);
  execvp(argv[0], argv);
  int reason = errno;
  if (write(gate, &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

static long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

static int report(const char *text, int length) { return write(REPORT, text, length) == length ? 0 : 1; }

int main(int argc, char **argv) {
  char line[160];
  int gate[2], status, reason;
  struct rusage usage;
  if (argc < 2) return 2;
  die_with_parent(getppid());
  handle_signals(SIG_IGN);
  if (pipe(gate) != 0) return 3;
  fcntl(gate[0], F_SETFD, FD_CLOEXEC);
  fcntl(gate[1], F_SETFD, FD_CLOEXEC);
  pid_t self = getpid();
  long long start = nanoseconds();
  pid_t child = fork();
  if (child == 0) become(argv + 1, gate[1], self);
  close(gate[1]);
  if (child < 0) return report(line, snprintf(line, sizeof line, "error %d\n", errno));
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) return 4;
  long long wall = nanoseconds() - start;
  if (read(gate[0], &reason, sizeof reason) == sizeof reason)
    return report(line, snprintf(line, sizeof line, "error %d\n", reason));
#ifdef __APPLE__
  long peak = usage.ru_maxrss / 1024;
#else
  long peak = usage.ru_maxrss;
#endif
  int length = snprintf(line, sizeof line, "done %lld %lld %lld %ld ", wall, microseconds(usage.ru_utime),
                        microseconds(usage.ru_stime), peak);
  if (WIFEXITED(status)) length += snprintf(line + length, sizeof line - length, "%d -\n", WEXITSTATUS(status));
  else length += snprintf(line + length, sizeof line - length, "- %d\n", WTERMSIG(status));
  return report(line, length);
}
