/*
 * Loaded into a program that was built with -finstrument-functions, this writes down when its functions are entered and left. It writes into the
 * folder that PERFKEEP_CALLS names, a file for each process, through shared mappings: what was written survives any end of the program, also SIGKILL.
 *
 * A file is a row of windows of 64 KiB; words are of the machine's own byte order. A window begins with u32 thread, u32 number of the window
 * among those of the thread; thread 0 stands for the process. The first window is the process's, and after these words it has
 *   "pkcalls1"  u32 1  u32 process  u32 session  u32 0  u64 start (ns, CLOCK_MONOTONIC)
 * Records are multiples of 8 bytes, each beginning with a u64 whose lowest three bits are the kind and whose others are a value. Kind 0: nothing
 * more in this window. Those of threads:
 *   1  value: ns since start   u32 function  u32 which call of the function      entered
 *   2  value: ns since start                                                     the innermost call that is open returned
 *   3  value: ns since start                                                     it was left by a jump at this moment or before
 *   4                          u64 size                                          told by the innermost call that is open
 *   5  value: thread           u64 number among its windows                      what follows is of another thread
 * Those of the process:
 *   1  value: length of path   u64 module  char path[...]
 *   2  value: function         u64 module  u64 offset of the function in its file, as linked
 *   3  value: why nothing follows: 1 limit, 2 disk, 3 depth, 4 functions
 *   4  value: ns since start                                                     the program ended by exit or by returning from main
 *
 * Which functions are written down, PERFKEEP_CALLS_PLAN says: a file with lines `other N`, `module DEVICE INODE N` and, for the module
 * before, `function OFFSET N` with ascending offsets. N: each N-th call, 0 none. Numbers are decimal. Where PERFKEEP_CALLS_CPU is set, times are
 * the processor's for the thread instead.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

enum { WINDOW = 1 << 16, PATH = 4096, SLOTS = 1 << 16, MODULES = 4096, DEPTH = 1 << 18, CREDIT = 64 };
enum { ENTERED = 1, RETURNED, LEFT, SIZE, THREAD };
enum { MODULE = 1, FUNCTION, STOPPED, ENDED };
enum { LIMIT = 1, DISK, TOO_DEEP, TOO_MANY };
enum { UNOPENED, OPEN, OFF };

/* What include/perfkeep.h calls the hook with to tell a size: no function lies there. */
#define TELLS_SIZE ((void *)1)

struct frame {
  uintptr_t function, stack, site;
  int written;
};

/* What a thread writes into, and the calls that are open in it, also those that are not written down. */
static __thread __attribute__((tls_model("initial-exec"))) struct {
  char *window;
  struct frame *frames;
  uint32_t position, number, sequence, depth, credit;
  int inside, jumped;
} self;

static struct slot {
  _Atomic uintptr_t function;
  uint32_t id, every, epoch;
  _Atomic uint32_t count;
} slots[SLOTS];

static struct { uintptr_t bias; char *path; uint64_t id; uint32_t plan; } modules[MODULES];
static struct planned { uint64_t device, inode; uint32_t every; size_t first, end; } *plans;
static struct { uint64_t offset; uint32_t every; } *wanted;
static size_t plan_count, wanted_count;
static uint32_t every_other = 1;

static atomic_int state = UNOPENED;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static char folder[PATH - 64], file[PATH];
static char *facts;
static uint32_t facts_position, facts_sequence, epoch = 1, module_count, used, next_id;
static _Atomic uint32_t threads;
static uint64_t windows, started, began, zero, most;
static clockid_t which_clock = CLOCK_MONOTONIC;
static _Atomic int64_t remaining;
static struct { char *window; uint32_t position; } spare[256];
static unsigned spares;
static pthread_key_t at_end;
static void (*real_jump)(void *, int), (*real_checked_jump)(void *, int);
static int (*real_dlclose)(void *);

static void enter(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) sched_yield();
}

static void leave(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

static inline uint64_t told_by(clockid_t which) {
  struct timespec now;
  clock_gettime(which, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t nanoseconds(void) { return told_by(which_clock) - zero; }

/* The first word is written last: a record that is begun and not ended is none. */
static inline void finish(char *at, uint64_t value, uint64_t kind) {
  atomic_store_explicit((_Atomic uint64_t *)at, value << 3 | kind, memory_order_release);
}

/* ---- The file. All of it under the lock. ---- */

/* The file is only open meanwhile, so the program sees no descriptor that it did not open. A thread that is cancelled here would keep the lock. */
static char *next_window(uint32_t thread, uint32_t sequence, int flags) {
  int cancelled;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
  void *mapped = MAP_FAILED;
  int descriptor = open(file, O_RDWR | O_CLOEXEC | flags, 0600);
  if (descriptor >= 0) {
    if (posix_fallocate(descriptor, (off_t)(windows * WINDOW), WINDOW) == 0)
      mapped = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, (off_t)(windows * WINDOW));
    close(descriptor);
  }
  pthread_setcancelstate(cancelled, NULL);
  if (mapped == MAP_FAILED) return NULL;
  windows++;
  memcpy((char *)mapped + 4, &sequence, 4);
  memcpy(mapped, &thread, 4);
  return mapped;
}

static void stop(uint64_t why) {
  if (atomic_load(&state) != OPEN) return;
  finish(facts + facts_position, why, STOPPED);
  atomic_store(&state, OFF);
}

/* Room for a record of the process; always leaves room to say that nothing follows. */
static char *room(uint32_t bytes) {
  if (facts_position + bytes + 8 > WINDOW) {
    char *fresh = next_window(0, facts_sequence + 1, 0);
    if (!fresh) {
      stop(DISK);
      return NULL;
    }
    munmap(facts, WINDOW);
    facts = fresh;
    facts_sequence++;
    facts_position = 8;
  }
  char *at = facts + facts_position;
  facts_position += bytes;
  return at;
}

static int begin_file(void) {
  facts = NULL;
  for (unsigned number = 0; number < 10000; number++) {
    snprintf(file, sizeof file, "%s/%d-%u", folder, (int)getpid(), number);
    windows = 0;
    if ((facts = next_window(0, 0, O_CREAT | O_EXCL))) break;
    if (errno != EEXIST) return 0;
  }
  if (!facts) return 0;
  started = began ? began : told_by(CLOCK_MONOTONIC);
  zero = which_clock == CLOCK_MONOTONIC ? started : 0;
  const uint32_t words[] = {1, (uint32_t)getpid(), (uint32_t)getsid(0), 0};
  memcpy(facts + 16, words, sizeof words);
  memcpy(facts + 32, &started, sizeof started);
  memcpy(facts + 8, "pkcalls1", 8);
  facts_position = 40;
  facts_sequence = 0;
  return 1;
}

/* ---- How a process begins ---- */

static void thread_ended(void *);

static void before_fork(void) { enter(); }

/* A process that was forked begins a file of its own when it calls something: the mappings are its parent's. So are the calls that are open. */
static void forked(void) {
  if (self.window) munmap(self.window, WINDOW);
  if (facts) munmap(facts, WINDOW);
  self.window = facts = NULL;
  self.number = self.sequence = self.credit = 0;
  for (uint32_t at = 0; at < self.depth; at++) self.frames[at].written = 0;
  epoch++;
  if (atomic_load(&state) == OPEN) atomic_store(&state, UNOPENED);
  began = told_by(CLOCK_MONOTONIC);
  leave();
}

static void read_function(uint64_t offset, uint32_t every) {
  if (plan_count == 0) return;
  wanted = realloc(wanted, (wanted_count + 1) * sizeof *wanted);
  if (!wanted) abort();
  wanted[wanted_count].offset = offset;
  wanted[wanted_count++].every = every;
  plans[plan_count - 1].end = wanted_count;
}

static void read_plan(const char *path) {
  char line[256];
  FILE *plan = path ? fopen(path, "re") : NULL;
  while (plan && fgets(line, sizeof line, plan)) {
    unsigned long long first, second;
    unsigned every;
    if (sscanf(line, "other %u", &every) == 1) every_other = every;
    else if (sscanf(line, "function %llu %u", &first, &every) == 2) read_function(first, every);
    else if (sscanf(line, "module %llu %llu %u", &first, &second, &every) == 3) {
      plans = realloc(plans, (plan_count + 1) * sizeof *plans);
      if (!plans) abort();
      plans[plan_count++] = (struct planned){first, second, every, wanted_count, wanted_count};
    }
  }
  if (plan) fclose(plan);
}

/* What libraries do that are loaded earlier may come before anything else here. */
static void look_up(void) {
  static atomic_int ready;
  if (atomic_load(&ready)) return;
  self.inside++;
  const char *named = getenv("PERFKEEP_CALLS"), *limit = getenv("PERFKEEP_CALLS_LIMIT");
  if (named && strlen(named) < sizeof folder) strcpy(folder, named);
  most = limit ? strtoull(limit, NULL, 10) : 0;
  read_plan(getenv("PERFKEEP_CALLS_PLAN"));
  if (getenv("PERFKEEP_CALLS_CPU")) which_clock = CLOCK_THREAD_CPUTIME_ID;
  *(void **)&real_jump = dlsym(RTLD_NEXT, "siglongjmp");
  *(void **)&real_checked_jump = dlsym(RTLD_NEXT, "__longjmp_chk");
  *(void **)&real_dlclose = dlsym(RTLD_NEXT, "dlclose");
  pthread_key_create(&at_end, thread_ended);
  pthread_atfork(before_fork, leave, forked);
  atomic_store(&ready, 1);
  self.inside--;
}

static void opened(void) {
  int reason = errno;
  look_up();
  enter();
  if (atomic_load(&state) == UNOPENED) {
    spares = 0;
    module_count = next_id = 0;
    atomic_store(&threads, 0);
    atomic_store(&remaining, most ? (int64_t)most : INT64_MAX);
    atomic_store(&state, folder[0] && begin_file() ? OPEN : OFF);
  }
  leave();
  errno = reason;
}

/* ---- Functions ---- */

struct place {
  uintptr_t address, bias;
  const char *path;
};

#ifndef __GLIBC_PREREQ
#define __GLIBC_PREREQ(major, minor) 0
#endif

#if __GLIBC_PREREQ(2, 35)
/* Needs no lock of the loader, so that it works in whatever was forked. */
static int find_place(struct place *place) {
  struct dl_find_object found;
  if (_dl_find_object((void *)place->address, &found) != 0) return 0;
  place->bias = found.dlfo_link_map->l_addr;
  place->path = found.dlfo_link_map->l_name;
  return 1;
}
#else
static int each_module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct place *place = data;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || place->address - info->dlpi_addr - part->p_vaddr >= part->p_memsz) continue;
    place->bias = info->dlpi_addr;
    place->path = info->dlpi_name;
    return 1;
  }
  return 0;
}

static int find_place(struct place *place) { return dl_iterate_phdr(each_module, place); }
#endif

/* The place in `modules`, told if it is new; -1 where there is no room. */
static int module_of(const struct place *place) {
  char own[PATH];
  const char *path = place->path;
  if (!path || !*path) {
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length < 0 ? 0 : length] = 0;
    path = own;
  }
  for (uint32_t i = 0; i < module_count; i++)
    if (modules[i].bias == place->bias && strcmp(modules[i].path, path) == 0) return (int)i;
  uint32_t length = (uint32_t)strnlen(path, PATH - 1);
  char *at = module_count < MODULES ? room(16 + ((length + 7) & ~7u)) : NULL;
  if (!at) return -1;
  struct stat status = {0};
  stat(path, &status);
  uint32_t plan = 0;
  while (plan < plan_count && (plans[plan].device != status.st_dev || plans[plan].inode != status.st_ino)) plan++;
  modules[module_count].bias = place->bias;
  modules[module_count].path = strdup(path);
  modules[module_count].plan = plan;
  uint64_t id = module_count;
  memcpy(at + 8, &id, 8);
  memcpy(at + 16, path, length);
  finish(at, length, MODULE);
  return (int)module_count++;
}

static uint32_t every_of(uint32_t plan, uint64_t offset) {
  if (plan == plan_count) return every_other;
  size_t low = plans[plan].first, high = plans[plan].end;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (wanted[middle].offset == offset) return wanted[middle].every;
    if (wanted[middle].offset < offset) low = middle + 1;
    else high = middle;
  }
  return plans[plan].every;
}

/* Tells what a function is that is seen for the first time in this process. */
static void tell(struct slot *slot, uintptr_t function) {
  struct place place = {function, 0, ""};
  int module = find_place(&place) ? module_of(&place) : -1;
  uint64_t words[] = {(uint64_t)module, function - place.bias};
  slot->every = module < 0 ? 0 : every_of(modules[module].plan, words[1]);
  slot->epoch = epoch;
  char *at = slot->every ? room(24) : NULL;
  if (!at) {
    slot->every = 0;
    return;
  }
  slot->id = next_id++;
  memcpy(at + 8, words, sizeof words);
  finish(at, slot->id, FUNCTION);
}

static uint32_t hash(uintptr_t function) { return (uint32_t)((function >> 2) * 0x9e3779b97f4a7c15u >> 48) % SLOTS; }

static __attribute__((noinline)) struct slot *unknown(uintptr_t function) {
  int reason = errno;
  struct slot *slot = NULL;
  enter();
  for (uint32_t at = hash(function);; at = (at + 1) % SLOTS) {
    slot = &slots[at];
    uintptr_t there = atomic_load_explicit(&slot->function, memory_order_relaxed);
    if (there == function || there == 0) break;
  }
  if (atomic_load(&state) != OPEN) slot = NULL;
  else if (slot->function == 0 && ++used > SLOTS / 4 * 3) {
    stop(TOO_MANY);
    slot = NULL;
  } else if (slot->function == 0 || slot->epoch != epoch) {
    tell(slot, function);
    atomic_store_explicit(&slot->function, function, memory_order_release);
  }
  leave();
  errno = reason;
  return slot;
}

static inline struct slot *slot_of(uintptr_t function) {
  for (uint32_t at = hash(function);; at = (at + 1) % SLOTS) {
    uintptr_t there = atomic_load_explicit(&slots[at].function, memory_order_acquire);
    if (there == function && slots[at].epoch == epoch) return &slots[at];
    if (there == 0 || there == function) return unknown(function);
  }
}

/* ---- Threads ---- */

/* A window with room for the largest record, what a thread that is over left of its own before a new one. */
static __attribute__((noinline)) int renew(void) {
  int reason = errno;
  enter();
  if (!self.number) self.number = 1 + atomic_fetch_add(&threads, 1);
  char *old = self.window;
  self.window = NULL;
  if (atomic_load(&state) == OPEN && !old && spares > 0) {
    self.window = spare[--spares].window;
    char *at = self.window + spare[spares].position;
    uint64_t sequence = self.sequence++;
    memcpy(at + 8, &sequence, 8);
    finish(at, self.number, THREAD);
    self.position = spare[spares].position + 16;
  } else if (atomic_load(&state) == OPEN) {
    self.window = next_window(self.number, self.sequence++, 0);
    self.position = 8;
    if (!self.window) stop(DISK);
  }
  leave();
  if (old) munmap(old, WINDOW);
  pthread_setspecific(at_end, &self);
  errno = reason;
  return self.window != NULL;
}

static inline char *own_room(uint32_t bytes) {
  if ((!self.window || self.position + bytes > WINDOW) && !renew()) return NULL;
  char *at = self.window + self.position;
  self.position += bytes;
  return at;
}

/* May be called again, when a destructor of another library calls what is instrumented. */
static void thread_ended(void *unused) {
  (void)unused;
  self.inside++;
  enter();
  if (self.window && self.position + 64 <= WINDOW && spares < sizeof spare / sizeof *spare && atomic_load(&state) == OPEN) {
    spare[spares].window = self.window;
    spare[spares++].position = self.position;
  } else if (self.window) munmap(self.window, WINDOW);
  self.window = NULL;
  leave();
  if (self.frames && self.depth == 0) {
    munmap(self.frames, DEPTH * sizeof *self.frames);
    self.frames = NULL;
  }
  self.inside--;
}

static __attribute__((noinline)) int first_frame(void) {
  int reason = errno;
  void *mapped = mmap(NULL, DEPTH * sizeof *self.frames, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  self.frames = mapped == MAP_FAILED ? NULL : mapped;
  errno = reason;
  return self.frames != NULL;
}

/* A limit that all threads share, taken in small portions. */
static int take_credit(void) {
  if (self.credit > 0) return 1;
  int64_t left = atomic_fetch_sub(&remaining, CREDIT);
  if (left > 0) self.credit = left < CREDIT ? (uint32_t)left : CREDIT;
  if (self.credit > 0) return 1;
  enter();
  stop(LIMIT);
  leave();
  return 0;
}

/* ---- What instrumented functions call ---- */

static void pop(uint64_t now, uint64_t kind) {
  if (!self.frames[--self.depth].written) return;
  char *at = own_room(8);
  if (at) finish(at, now, kind);
}

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

struct walk {
  uintptr_t top;
  int seen;
};

/* The frame after that of the function begins where the function's ends. */
static _Unwind_Reason_Code each_frame(struct _Unwind_Context *context, void *data) {
  struct walk *walk = data;
  uintptr_t address = _Unwind_GetIP(context);
  if (walk->seen == 0 && address >= (uintptr_t)__ehdr_start && address < (uintptr_t)_end) return _URC_NO_REASON;
  if (walk->seen++ == 0) return _URC_NO_REASON;
  walk->top = _Unwind_GetCFA(context);
  return _URC_END_OF_STACK;
}

/*
 * The program came here by longjmp. Frames that lie where the function has its own are no more, unless it was inlined into one of them, which has
 * the same return address then.
 */
static void after_jump(uintptr_t function, uintptr_t stack, uintptr_t site) {
  uint64_t now = nanoseconds();
  struct walk walk = {stack, 0};
  _Unwind_Backtrace(each_frame, &walk);
  for (self.jumped = 0; self.depth > 0; pop(now, LEFT)) {
    const struct frame *top = &self.frames[self.depth - 1];
    if (top->stack >= walk.top || (top->stack == stack && top->site == site && top->function != function)) return;
  }
}

static void tell_size(uint64_t size) {
  if (self.inside || self.depth == 0 || !self.frames[self.depth - 1].written || atomic_load(&state) != OPEN) return;
  self.inside = 1;
  char *at = own_room(16);
  if (at) {
    memcpy(at + 8, &size, 8);
    finish(at, 0, SIZE);
  }
  self.inside = 0;
}

static void entered(uintptr_t function, uintptr_t stack, uintptr_t site) {
  if (self.jumped) after_jump(function, stack, site);
  if (!self.frames && !first_frame()) return;
  if (self.depth == DEPTH) {
    enter();
    stop(TOO_DEEP);
    leave();
    return;
  }
  self.frames[self.depth++] = (struct frame){function, stack, site, 0};
  struct slot *slot = slot_of(function);
  if (!slot || slot->every == 0) return;
  uint32_t which = slot->every == 1 ? 0 : atomic_fetch_add_explicit(&slot->count, 1, memory_order_relaxed);
  if ((slot->every > 1 && which % slot->every != 0) || !take_credit()) return;
  char *at = own_room(16);
  if (!at) return;
  self.credit--;
  self.frames[self.depth - 1].written = 1;
  memcpy(at + 8, (const uint32_t[]){slot->id, which}, 8);
  finish(at, nanoseconds(), ENTERED);
}

void __cyg_profile_func_enter(void *function, void *site) {
  if (function == TELLS_SIZE) {
    tell_size((uintptr_t)site);
    return;
  }
  if (self.inside) return;
  if (atomic_load_explicit(&state, memory_order_relaxed) != OPEN) {
    if (atomic_load(&state) == OFF) return;
    self.inside = 1;
    opened();
  }
  self.inside = 1;
  entered((uintptr_t)function, (uintptr_t)__builtin_dwarf_cfa(), (uintptr_t)site);
  self.inside = 0;
}

/* How many frames there are below and including that of the call that returns; 0: it was entered before anybody looked. */
static uint32_t returning(uintptr_t function, uintptr_t stack, int is_jump) {
  uint32_t found = 0;
  if (self.jumped)
    for (uint32_t at = self.depth; at > 0 && (is_jump ? self.frames[at - 1].stack < stack : self.frames[at - 1].stack <= stack); at--)
      if (self.frames[at - 1].function == function) found = at;
  self.jumped = 0;
  for (uint32_t at = self.depth; found == 0 && at > 0; at--)
    if (self.frames[at - 1].function == function) found = at;
  return found;
}

/* As the last thing of a function this may be jumped to instead of called: the frame of the function is gone then. */
void __cyg_profile_func_exit(void *function, void *site) {
  if (self.inside || self.depth == 0 || atomic_load_explicit(&state, memory_order_relaxed) != OPEN) return;
  uint64_t now = nanoseconds();
  self.inside = 1;
  uint32_t found = returning((uintptr_t)function, (uintptr_t)__builtin_dwarf_cfa(), __builtin_return_address(0) == site);
  if (found > 0) {
    while (self.depth > found) pop(now, LEFT);
    pop(now, RETURNED);
  }
  self.inside = 0;
}

/* ---- Jumps, libraries that go, the beginning and the end ---- */

#define JUMP(name, real)                                     \
  __attribute__((noreturn)) void name(void *to, int value) { \
    look_up();                                               \
    self.jumped = 1;                                         \
    real(to, value);                                         \
    abort();                                                 \
  }

#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
JUMP(longjmp, real_jump)
JUMP(_longjmp, real_jump)
JUMP(siglongjmp, real_jump)
JUMP(__longjmp_chk, real_checked_jump)

/* Another library may take the place of one that is gone. */
int dlclose(void *library) {
  look_up();
  int outcome = real_dlclose(library);
  enter();
  for (struct slot *slot = slots; slot < slots + SLOTS; slot++) {
    struct place place = {atomic_load(&slot->function), 0, ""};
    if (place.address > 1 && !find_place(&place)) atomic_store(&slot->function, 1);
  }
  for (uint32_t i = 0; i < module_count; i++) modules[i].bias = 1;
  leave();
  return outcome;
}

/* A file that holds no record still says that the program was watched. */
__attribute__((constructor(101))) static void loaded(void) {
  self.inside = 1;
  opened();
  self.inside = 0;
}

__attribute__((destructor(101))) static void ended(void) {
  self.inside = 1;
  enter();
  char *at = atomic_load(&state) == OPEN ? room(8) : NULL;
  if (at) finish(at, nanoseconds(), ENDED);
  leave();
  self.inside = 0;
}
