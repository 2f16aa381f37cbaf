/*
 * Loaded into a program before its other libraries, this writes down every allocation of it: what was called, how much,
 * where it lies and by which calls it came there. It writes into the folder that PERFKEEP_ALLOCATIONS names, a file for
 * each process, through a shared mapping: what was written survives any end of the program, also SIGKILL.
 *
 * A file is a row of windows of 1 MiB; words are of the machine's own byte order. The first 32 bytes are the header
 *   "pkalloc1"  u32 1  u32 process  u32 session  u32 0  u64 start (ns, CLOCK_MONOTONIC)
 * and then come records of multiples of 8 bytes, each beginning with u32 kind, u32 id. Kind 0: nothing more in this window.
 *   1..9  u64 ns since start  u64 amount  u64 address  u64 old address      id is that of a stack
 *   16    u64 frames  u64 module list  u64 address of each call, inner first  id is that of the stack
 *   17    u64 bias  u64 lowest  u64 highest  u64 list  char path[…]          id is the length of the path
 *   18                                                                       id says why nothing follows: 1 limit, 2 disk
 * A stack is told again after it left a table of fixed size, so memory is bounded, whatever the program does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>
#if defined(__x86_64__) && !defined(PERFKEEP_NO_FRAME_RULES)
#define HAS_FRAME_RULES 1
#include "frame-rules.h"
#else
#define HAS_FRAME_RULES 0
#endif

enum { WINDOW = 1 << 20, FRAMES = 128, SLOTS = 1 << 14, PATH = 4096 };
enum { MALLOC = 1, CALLOC, REALLOC, REALLOCARRAY, MEMALIGN, POSIX_MEMALIGN, ALIGNED_ALLOC, VALLOC, FREE };
enum { STACK = 16, MODULE = 17, STOPPED = 18 };
enum { LIMIT = 1, DISK = 2 };
enum { UNOPENED, OPEN, OFF };

#define LOCAL static __thread __attribute__((tls_model("initial-exec")))

/* Set while a thread is in here, so that what tracing itself allocates is not traced. */
LOCAL int inside;

static struct {
  void *(*malloc)(size_t);
  void (*free)(void *);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*reallocarray)(void *, size_t, size_t);
  void *(*memalign)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
} real;

static atomic_int state = UNOPENED;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static char folder[PATH - 64], file[PATH];
static char *window;
static uint64_t position, windows, started, records, most;
static uint32_t next_stack, module_list, known_list;
static unsigned long long loads;
static int is_forked;
static struct { uint64_t hash; uint32_t id; } slots[SLOTS];

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static void enter(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) sched_yield();
}

static void leave(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- The file. All of it under the lock. ---- */

/* The next window; the file is only open meanwhile, so the program sees no descriptor that it did not open. */
static void *map_next(int flags) {
  int descriptor = open(file, O_RDWR | O_CLOEXEC | flags, 0600);
  if (descriptor < 0) return MAP_FAILED;
  void *mapped = MAP_FAILED;
  if (posix_fallocate(descriptor, (off_t)(windows * WINDOW), WINDOW) == 0)
    mapped = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, (off_t)(windows * WINDOW));
  close(descriptor);
  return mapped;
}

/* A thread that is cancelled while the file grows would keep the lock. */
static int next_window(int flags) {
  int cancelled;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
  void *mapped = map_next(flags);
  pthread_setcancelstate(cancelled, NULL);
  if (mapped == MAP_FAILED) return 0;
  if (window) munmap(window, WINDOW);
  window = mapped;
  windows++;
  position = 0;
  return 1;
}

/* The kind is written last: a record that is begun and not ended is none. */
static void finish(uint32_t kind, uint32_t id, size_t bytes) {
  uint32_t *head = (uint32_t *)(window + position);
  head[1] = id;
  atomic_store_explicit((_Atomic uint32_t *)head, kind, memory_order_release);
  position += bytes;
}

static void stop(uint32_t why) {
  if (position + 8 <= WINDOW) finish(STOPPED, why, 8);
  atomic_store(&state, OFF);
}

/* Room for a record of so many bytes; always leaves room to say that nothing follows. */
static uint64_t *room(size_t bytes) {
  if (position + bytes + 8 > WINDOW && !next_window(0)) {
    stop(DISK);
    return NULL;
  }
  return (uint64_t *)(window + position + 8);
}

static int begin_file(void) {
  for (unsigned number = 0; number < 10000; number++) {
    snprintf(file, sizeof file, "%s/%d-%u", folder, (int)getpid(), number);
    windows = 0;
    if (next_window(O_CREAT | O_EXCL)) break;
    if (errno != EEXIST) return 0;
  }
  if (!window) return 0;
  started = nanoseconds();
  const uint32_t words[] = {1, (uint32_t)getpid(), (uint32_t)getsid(0), 0};
  memcpy(window + 8, words, sizeof words);
  memcpy(window + 24, &started, sizeof started);
  memcpy(window, "pkalloc1", 8);
  position = 32;
  return 1;
}

/* A process that was forked begins a file of its own: the mapping is its parent's. */
static void forked(void) {
  if (window) munmap(window, WINDOW);
  window = NULL;
  is_forked = 1;
  atomic_flag_clear(&lock);
  if (atomic_load(&state) == OPEN) atomic_store(&state, UNOPENED);
}

static void opened(void) {
  enter();
  if (atomic_load(&state) == UNOPENED) {
    records = next_stack = module_list = known_list = 0;
    loads = 0;
    memset(slots, 0, sizeof slots);
    atomic_store(&state, folder[0] && begin_file() ? OPEN : OFF);
  }
  leave();
}

/* ---- Where code is loaded. The loader's lock is held around ours, never the other way round. ---- */

struct survey {
  uint32_t list;
  int seen;
  unsigned long long loads;
};

static void tell_part(const char *path, uint64_t bias, uint64_t lowest, uint64_t highest, uint32_t list) {
  size_t length = strnlen(path, PATH - 1), bytes = 40 + ((length + 7) & ~(size_t)7);
  enter();
  uint64_t *at = atomic_load(&state) == OPEN ? room(bytes) : NULL;
  if (at) {
    at[0] = bias;
    at[1] = lowest;
    at[2] = highest;
    at[3] = list;
    memcpy(at + 4, path, length);
    finish(MODULE, (uint32_t)length, bytes);
  }
  leave();
}

static void tell_module(const struct dl_phdr_info *info, uint32_t list) {
  char own[PATH];
  const char *path = info->dlpi_name;
  if (!path || !*path) {
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length < 0 ? 0 : length] = 0;
    path = own;
  }
  uint64_t lowest = UINT64_MAX, highest = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    if (part->p_vaddr < lowest) lowest = part->p_vaddr;
    if (part->p_vaddr + part->p_memsz > highest) highest = part->p_vaddr + part->p_memsz;
  }
  tell_part(path, info->dlpi_addr, info->dlpi_addr + lowest, info->dlpi_addr + highest, list);
}

static int each_module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct survey *survey = data;
  if (!survey->seen) {
    survey->seen = 1;
    survey->loads = info->dlpi_adds + info->dlpi_subs;
    enter();
    int known = known_list && survey->loads == loads;
    survey->list = known ? known_list : ++module_list;
    leave();
    if (known) return 1;
  }
  tell_module(info, survey->list);
  return 0;
}

/*
 * In a forked process the loader's lock may be held for ever by a thread that is no more, so the kernel is asked instead. It tells mappings,
 * of which each that is of code becomes a module of its own; its bias is found from the headers that lie at the beginning of the file.
 */
static uint64_t bias_of(uint64_t start, uint64_t offset, uint64_t first) {
  const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(uintptr_t)first;
  if (first == 0 || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return start - offset;
  const ElfW(Phdr) *parts = (const ElfW(Phdr) *)(uintptr_t)(first + head->e_phoff);
  for (int i = 0; i < head->e_phnum; i++)
    if (parts[i].p_type == PT_LOAD && (parts[i].p_flags & PF_X) && parts[i].p_offset / 4096 == offset / 4096)
      return start - (parts[i].p_vaddr - parts[i].p_offset + offset);
  return start - offset;
}

static void tell_mappings(uint32_t list) {
  static char text[1 << 16];
  static uint64_t first;
  static char last[PATH];
  first = 0;
  last[0] = 0;
  int descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  size_t held = 0;
  for (ssize_t got; (got = read(descriptor, text + held, sizeof text - 1 - held)) > 0;) {
    held += (size_t)got;
    text[held] = 0;
    char *line = text;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
      *end = 0;
      unsigned long start, stop_at, offset;
      char rights[5] = "";
      char *path = strchr(line, '/');
      if (!path || sscanf(line, "%lx-%lx %4s %lx", &start, &stop_at, rights, &offset) != 4) continue;
      if (strncmp(path, last, PATH - 1) != 0) {
        strncpy(last, path, PATH - 1);
        first = offset == 0 && rights[0] == 'r' ? start : 0;
      }
      if (rights[2] == 'x') tell_part(path, bias_of(start, offset, first), start, stop_at, list);
    }
    held -= (size_t)(line - text);
    memmove(text, line, held);
  }
  close(descriptor);
}

/* The list of modules that holds now, told if it is new. Stacks of before are told again, for their addresses may mean others. */
static uint32_t current_modules(void) {
  if (is_forked) {
    enter();
    int known = known_list != 0;
    known_list = module_list = 1;
    leave();
    if (!known) tell_mappings(1);
    return 1;
  }
  struct survey survey = {0};
  dl_iterate_phdr(each_module, &survey);
  enter();
  if (survey.list > known_list) {
    known_list = survey.list;
    loads = survey.loads;
    memset(slots, 0, sizeof slots);
  }
  leave();
  return survey.list;
}

/* ---- Stacks ---- */

struct trace {
  uint64_t count, hash;
  uint64_t frames[FRAMES];
};

/* Adds the address of a call, unless it is in here. Returns 0 if no more is wanted. */
static inline int add_frame(struct trace *trace, uint64_t address) {
  if (trace->count == FRAMES) return 0;
  if (address >= (uintptr_t)__ehdr_start && address < (uintptr_t)_end) return 1;
  trace->frames[trace->count++] = address;
  uint64_t mixed = (trace->hash ^ address) * 0x9e3779b97f4a7c15u;
  trace->hash = mixed ^ (mixed >> 29);
  return 1;
}

static _Unwind_Reason_Code each_frame(struct _Unwind_Context *context, void *data) {
  int before = 0;
  uint64_t address = (uint64_t)_Unwind_GetIPInfo(context, &before);
  if (address == 0 || !add_frame(data, before ? address : address - 1)) return _URC_END_OF_STACK;
  return _URC_NO_REASON;
}

/* The stack by remembered rules, from a frame that begins with the caller's bp and the return address. Returns 0 if a frame is irregular. */
#if HAS_FRAME_RULES
static int trace_by_rules(struct trace *trace, const uint64_t *frame) {
  uint64_t bp = frame[0], back = frame[1], sp = (uintptr_t)(frame + 2);
  while (back && add_frame(trace, back - 1)) {
    struct frame_rule rule = frame_rule_at(back);
    if (rule.form == OUTERMOST) return 1;
    uint64_t caller = (rule.form == FROM_SP ? sp : bp) + (uint64_t)(int64_t)rule.cfa;
    if (rule.form == IRREGULAR || caller <= sp || caller % 8 != 0) return 0;
    back = *(const uint64_t *)(uintptr_t)(caller - 8);
    if (rule.bp) bp = *(const uint64_t *)(uintptr_t)(caller + (uint64_t)(int64_t)rule.bp);
    sp = caller;
  }
  return 1;
}
#else
static int trace_by_rules(struct trace *trace, const uint64_t *frame) {
  (void)trace, (void)frame;
  return 0;
}
#endif

static inline void begin_trace(struct trace *trace) {
  trace->count = 0;
  trace->hash = 1;
}

static void write_down(uint32_t kind, uint32_t stack, uint64_t amount, const void *address, const void *old) {
  uint64_t *at = room(40);
  if (!at) return;
  at[0] = nanoseconds() - started;
  at[1] = amount;
  at[2] = (uintptr_t)address;
  at[3] = (uintptr_t)old;
  finish(kind, stack, 40);
  if (++records == most) stop(LIMIT);
}

static uint32_t tell_stack(const struct trace *trace, uint32_t list) {
  uint64_t *at = room(24 + 8 * trace->count);
  if (!at) return 0;
  at[0] = trace->count;
  at[1] = list;
  memcpy(at + 2, trace->frames, 8 * trace->count);
  finish(STACK, ++next_stack, 24 + 8 * trace->count);
  slots[trace->hash % SLOTS].hash = trace->hash;
  slots[trace->hash % SLOTS].id = next_stack;
  return next_stack;
}

static __attribute__((noinline)) void record(uint32_t kind, uint64_t amount, const void *address, const void *old) {
  int reason = errno;
  if (atomic_load_explicit(&state, memory_order_relaxed) == UNOPENED) opened();
  if (atomic_load_explicit(&state, memory_order_relaxed) == OPEN) {
    struct trace trace;
    begin_trace(&trace);
    if (!trace_by_rules(&trace, __builtin_frame_address(0))) {
      begin_trace(&trace);
      _Unwind_Backtrace(each_frame, &trace);
    }
    enter();
    uint32_t stack = slots[trace.hash % SLOTS].hash == trace.hash ? slots[trace.hash % SLOTS].id : 0;
    if (stack && atomic_load(&state) == OPEN) write_down(kind, stack, amount, address, old);
    leave();
    if (!stack) {
      uint32_t list = current_modules();
      enter();
      if (atomic_load(&state) == OPEN && (stack = tell_stack(&trace, list))) write_down(kind, stack, amount, address, old);
      leave();
    }
  }
  errno = reason;
}

/* ---- What the program calls ---- */

/* Looking the real functions up may allocate; that is served from here and never given back. */
static char early[1 << 16];
static atomic_size_t early_used;

static void *early_memory(size_t alignment, size_t size) {
  size_t bytes = size + alignment + 16;
  size_t at = atomic_fetch_add(&early_used, bytes);
  if (at + bytes > sizeof early) return NULL;
  uintptr_t start = ((uintptr_t)early + at + 16 + alignment - 1) & ~(uintptr_t)(alignment - 1);
  memcpy((void *)(start - sizeof size), &size, sizeof size);
  return (void *)start;
}

static int is_early(const void *memory) { return (const char *)memory >= early && (const char *)memory < early + sizeof early; }

static void *moved(void *memory, size_t size) {
  size_t old;
  memcpy(&old, (char *)memory - sizeof old, sizeof old);
  void *fresh = real.malloc ? real.malloc(size) : early_memory(16, size);
  if (fresh) memcpy(fresh, memory, old < size ? old : size);
  return fresh;
}

static void look_up(void) {
  static atomic_int ready;
  if (atomic_load(&ready)) return;
  inside++;
  *(void **)&real.free = dlsym(RTLD_NEXT, "free");
  *(void **)&real.calloc = dlsym(RTLD_NEXT, "calloc");
  *(void **)&real.realloc = dlsym(RTLD_NEXT, "realloc");
  *(void **)&real.reallocarray = dlsym(RTLD_NEXT, "reallocarray");
  *(void **)&real.memalign = dlsym(RTLD_NEXT, "memalign");
  *(void **)&real.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
  *(void **)&real.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
  *(void **)&real.valloc = dlsym(RTLD_NEXT, "valloc");
  *(void **)&real.pvalloc = dlsym(RTLD_NEXT, "pvalloc");
  *(void **)&real.malloc = dlsym(RTLD_NEXT, "malloc");
  const char *named = getenv("PERFKEEP_ALLOCATIONS"), *limit = getenv("PERFKEEP_ALLOCATIONS_LIMIT");
  if (named && strlen(named) < sizeof folder) strcpy(folder, named);
  most = limit ? strtoull(limit, NULL, 10) : 0;
  pthread_atfork(NULL, NULL, forked);
  atomic_store(&ready, 1);
  inside--;
}

/* A file that holds no record still says that the program was traced. */
__attribute__((constructor)) static void loaded(void) {
  inside++;
  look_up();
  if (atomic_load(&state) == UNOPENED) opened();
  inside--;
}

/* Tells what `call` gave, unless this thread is at tracing already. */
#define TRACED(kind, call, amount, old)                 \
  do {                                                  \
    if (inside) return call;                            \
    inside++;                                           \
    void *given = call;                                 \
    if (given) record(kind, amount, given, old);        \
    inside--;                                           \
    return given;                                       \
  } while (0)

void *malloc(size_t size) {
  if (!real.malloc) {
    if (inside) return early_memory(16, size);
    look_up();
  }
  TRACED(MALLOC, real.malloc(size), size, NULL);
}

void *calloc(size_t count, size_t size) {
  if (!real.calloc) {
    size_t bytes;
    if (inside) return __builtin_mul_overflow(count, size, &bytes) ? NULL : early_memory(16, bytes);
    look_up();
  }
  TRACED(CALLOC, real.calloc(count, size), count * size, NULL);
}

void free(void *memory) {
  if (!memory || is_early(memory)) return;
  if (!real.free) look_up();
  if (!inside) {
    inside++;
    record(FREE, 0, memory, NULL);
    inside--;
  }
  real.free(memory);
}

/* Giving back by realloc(memory, 0) answers NULL and is written down all the same. */
static void *resized(uint32_t kind, void *memory, size_t size) {
  if (is_early(memory)) return moved(memory, size);
  if (!real.realloc) look_up();
  if (inside) return real.realloc(memory, size);
  inside++;
  void *given = real.realloc(memory, size);
  if (given || (memory && size == 0)) record(kind, size, given, memory);
  inside--;
  return given;
}

void *realloc(void *memory, size_t size) { return resized(REALLOC, memory, size); }

void *reallocarray(void *memory, size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes)) return resized(REALLOCARRAY, memory, bytes);
  errno = ENOMEM;
  return NULL;
}

void *memalign(size_t alignment, size_t size) {
  if (!real.memalign) look_up();
  TRACED(MEMALIGN, real.memalign(alignment, size), size, NULL);
}

void *aligned_alloc(size_t alignment, size_t size) {
  if (!real.aligned_alloc) look_up();
  TRACED(ALIGNED_ALLOC, real.aligned_alloc(alignment, size), size, NULL);
}

void *valloc(size_t size) {
  if (!real.valloc) look_up();
  TRACED(VALLOC, real.valloc(size), size, NULL);
}

void *pvalloc(size_t size) {
  if (!real.pvalloc) look_up();
  TRACED(VALLOC, real.pvalloc(size), size, NULL);
}

/* What unloads code, or the rules of code that a program made while it ran: remembered rules end here. */
#if HAS_FRAME_RULES
int dlclose(void *library) {
  static int (*original)(void *);
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, "dlclose");
  forget_frame_rules();
  int outcome = original ? original(library) : -1;
  /* The library's last functions may have run meanwhile. */
  forget_frame_rules();
  return outcome;
}

void __deregister_frame(void *frames) {
  static void (*original)(void *);
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, "__deregister_frame");
  forget_frame_rules();
  if (original) original(frames);
}

void *__deregister_frame_info(const void *frames) {
  static void *(*original)(const void *);
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, "__deregister_frame_info");
  forget_frame_rules();
  return original ? original(frames) : NULL;
}
#endif

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (!real.posix_memalign) look_up();
  if (inside) return real.posix_memalign(memory, alignment, size);
  inside++;
  int outcome = real.posix_memalign(memory, alignment, size);
  if (outcome == 0 && *memory) record(POSIX_MEMALIGN, size, *memory, NULL);
  inside--;
  return outcome;
}
