/*
 * How to get from a call to its caller on x86-64, remembered by address: the rules of the DWARF call frame information
 * (System V ABI, section 3.7; DWARF 5, section 6.4) that compilers write for nearly every function. A rule is read once
 * and then applied in a few instructions, where _Unwind_Backtrace interprets it at every frame again. What is not of the
 * usual form (signal frames, expressions, other registers) is left to _Unwind_Backtrace.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum frame_form { IRREGULAR, FROM_SP, FROM_BP, OUTERMOST };

/* The caller's stack pointer is sp or bp plus `cfa`; its bp was saved at that address plus `bp`, or not if that is 0. */
struct frame_rule {
  enum frame_form form;
  int32_t cfa, bp;
};

/* Exported by libgcc_s and by LLVM's libunwind; declared in no header that they install. */
struct dwarf_eh_bases {
  void *text, *data, *function;
};
extern const void *_Unwind_Find_FDE(void *address, struct dwarf_eh_bases *bases) __attribute__((weak));

enum { DWARF_BP = 6, DWARF_SP = 7, DWARF_RETURN = 16, REMEMBERED = 8 };

struct reader {
  const uint8_t *at, *end;
  int failed;
};

static uint64_t read_bytes(struct reader *from, size_t bytes) {
  uint64_t value = 0;
  if (from->failed || (size_t)(from->end - from->at) < bytes) {
    from->failed = 1;
    return 0;
  }
  memcpy(&value, from->at, bytes);
  from->at += bytes;
  return value;
}

static uint64_t read_uleb(struct reader *from) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    uint64_t byte = read_bytes(from, 1);
    value |= (byte & 127) << shift;
    if (!(byte & 128)) return value;
  }
  from->failed = 1;
  return 0;
}

static int64_t read_sleb(struct reader *from) {
  int64_t value = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    uint64_t byte = read_bytes(from, 1);
    value |= (int64_t)((byte & 127) << shift);
    if (!(byte & 128)) return byte & 64 ? value - ((int64_t)1 << (shift + 7)) : value;
  }
  from->failed = 1;
  return 0;
}

static void skip_bytes(struct reader *from, uint64_t bytes) {
  if (from->failed || (uint64_t)(from->end - from->at) < bytes) from->failed = 1;
  else from->at += bytes;
}

/* A pointer of the given encoding, by its size alone. */
static void skip_pointer(struct reader *from, uint8_t encoding) {
  static const uint8_t sizes[] = {8, 0, 2, 4, 8, 0, 0, 0};
  uint8_t size = sizes[encoding & 7];
  if (size == 0 || (encoding & 0x70) == 0x50) from->failed = 1;
  else skip_bytes(from, size);
}

/* A length of 32 bits and what it says; the form with 64 bits is not used. */
static struct reader entry_of(const uint8_t *at) {
  uint32_t length;
  memcpy(&length, at, sizeof length);
  return (struct reader){at + 4, at + 4 + length, length == UINT32_MAX};
}

/* Where a register of the caller is: unchanged, saved at an offset from the CFA, without a value, or elsewhere. */
struct place {
  enum { UNCHANGED, SAVED, NOWHERE, ELSEWHERE } kind;
  int64_t offset;
};

struct frame_row {
  uint64_t base;
  int64_t offset;
  int irregular;
  struct place bp, back;
};

struct frame_program {
  uint64_t code_unit;
  int64_t data_unit;
  struct frame_row row, initial, stack[REMEMBERED];
  int depth;
};

static void put_place(struct frame_program *program, uint64_t number, struct place place) {
  if (number == DWARF_BP) program->row.bp = place;
  if (number == DWARF_RETURN) program->row.back = place;
}

static void restore_place(struct frame_program *program, uint64_t number) {
  if (number == DWARF_BP) program->row.bp = program->initial.bp;
  if (number == DWARF_RETURN) program->row.back = program->initial.back;
}

static void put_base(struct frame_program *program, uint64_t base, int64_t offset) {
  program->row.base = base;
  program->row.offset = offset;
  program->row.irregular = 0;
}

static void skip_block(struct reader *from) { skip_bytes(from, read_uleb(from)); }

static void run_extended(struct frame_program *program, struct reader *from, uint8_t code) {
  uint64_t number;
  switch (code) {
    case 0x00: break;
    case 0x05: number = read_uleb(from); put_place(program, number, (struct place){SAVED, (int64_t)read_uleb(from) * program->data_unit}); break;
    case 0x06: restore_place(program, read_uleb(from)); break;
    case 0x07: put_place(program, read_uleb(from), (struct place){NOWHERE, 0}); break;
    case 0x08: put_place(program, read_uleb(from), (struct place){UNCHANGED, 0}); break;
    case 0x09: put_place(program, read_uleb(from), (struct place){ELSEWHERE, 0}); read_uleb(from); break;
    case 0x0a:
      if (program->depth == REMEMBERED) from->failed = 1;
      else program->stack[program->depth++] = program->row;
      break;
    case 0x0b:
      if (program->depth == 0) from->failed = 1;
      else program->row = program->stack[--program->depth];
      break;
    case 0x0c: number = read_uleb(from); put_base(program, number, (int64_t)read_uleb(from)); break;
    case 0x0d: put_base(program, read_uleb(from), program->row.offset); break;
    case 0x0e: program->row.offset = (int64_t)read_uleb(from); break;
    case 0x0f: skip_block(from); program->row.irregular = 1; break;
    case 0x10:
    case 0x16: put_place(program, read_uleb(from), (struct place){ELSEWHERE, 0}); skip_block(from); break;
    case 0x11: number = read_uleb(from); put_place(program, number, (struct place){SAVED, read_sleb(from) * program->data_unit}); break;
    case 0x12: number = read_uleb(from); put_base(program, number, read_sleb(from) * program->data_unit); break;
    case 0x13: program->row.offset = read_sleb(from) * program->data_unit; break;
    case 0x14: put_place(program, read_uleb(from), (struct place){ELSEWHERE, 0}); read_uleb(from); break;
    case 0x15: put_place(program, read_uleb(from), (struct place){ELSEWHERE, 0}); read_sleb(from); break;
    case 0x2e: read_uleb(from); break;
    default: from->failed = 1;
  }
}

/* The instructions up to the row that holds just before `back`, a return address in a function that starts at `start`. */
static void run_program(struct frame_program *program, struct reader *from, uint64_t start, uint64_t back) {
  for (uint64_t place = start; from->at < from->end && place < back && !from->failed;) {
    uint8_t code = (uint8_t)read_bytes(from, 1), low = code & 63;
    if (code >> 6 == 1) place += low * program->code_unit;
    else if (code >> 6 == 2) put_place(program, low, (struct place){SAVED, (int64_t)read_uleb(from) * program->data_unit});
    else if (code >> 6 == 3) restore_place(program, low);
    else if (code >= 2 && code <= 4) place += read_bytes(from, (size_t)1 << (code - 2)) * program->code_unit;
    else run_extended(program, from, code);
  }
}

/* The header of a CIE: units, and the encoding of addresses in its FDEs. What is left to read are its instructions. */
static int read_common(struct frame_program *program, struct reader *common, uint8_t *encoding) {
  skip_bytes(common, 4);
  uint64_t version = read_bytes(common, 1);
  const char *letters = (const char *)common->at;
  while (read_bytes(common, 1) != 0) continue;
  program->code_unit = read_uleb(common);
  program->data_unit = read_sleb(common);
  uint64_t back = version == 1 ? read_bytes(common, 1) : read_uleb(common);
  if (common->failed || letters[0] != 'z' || back != DWARF_RETURN) return 0;
  uint64_t length = read_uleb(common);
  struct reader data = {common->at, common->at + length, 0};
  skip_bytes(common, length);
  for (const char *letter = letters + 1; *letter; letter++)
    switch (*letter) {
      case 'R': *encoding = (uint8_t)read_bytes(&data, 1); break;
      case 'P': skip_pointer(&data, (uint8_t)read_bytes(&data, 1)); break;
      case 'L': read_bytes(&data, 1); break;
      default: return 0;
    }
  return !common->failed && !data.failed;
}

static struct frame_rule rule_of_row(const struct frame_row *row) {
  const struct frame_rule irregular = {IRREGULAR, 0, 0};
  if (row->back.kind == NOWHERE) return (struct frame_rule){OUTERMOST, 0, 0};
  if (row->irregular || row->back.kind != SAVED || row->back.offset != -8) return irregular;
  if (row->base != DWARF_SP && row->base != DWARF_BP) return irregular;
  if (row->bp.kind == ELSEWHERE || (row->bp.kind == SAVED && row->bp.offset == 0)) return irregular;
  int64_t bp = row->bp.kind == SAVED ? row->bp.offset : 0;
  if (row->offset <= 0 || row->offset >= 1 << 30 || bp < -(1 << 30) || bp >= 1 << 30) return irregular;
  return (struct frame_rule){row->base == DWARF_SP ? FROM_SP : FROM_BP, (int32_t)row->offset, (int32_t)bp};
}

/* The rule for a call that returns to `back`. */
static struct frame_rule read_frame_rule(uint64_t back) {
  struct dwarf_eh_bases bases = {0};
  const struct frame_rule irregular = {IRREGULAR, 0, 0};
  const uint8_t *found = _Unwind_Find_FDE ? _Unwind_Find_FDE((void *)(uintptr_t)(back - 1), &bases) : NULL;
  if (!found) return irregular;
  struct frame_program program = {0};
  struct reader entry = entry_of(found);
  uint8_t encoding = 0;
  const uint8_t *field = entry.at;
  int32_t distance = (int32_t)read_bytes(&entry, 4);
  struct reader common = entry_of(field - distance);
  if (entry.failed || !read_common(&program, &common, &encoding)) return irregular;
  skip_pointer(&entry, encoding);
  skip_pointer(&entry, encoding & 15);
  skip_block(&entry);
  uint64_t start = (uintptr_t)bases.function;
  run_program(&program, &common, start, back);
  program.initial = program.row;
  run_program(&program, &entry, start, back);
  return common.failed || entry.failed ? irregular : rule_of_row(&program.row);
}

/*
 * Rules by return address, shared by all threads without a lock: a rule that one thread writes while another reads it does
 * not match its key, which is the address combined with the rule, and is read again.
 */
enum { RULES = 1 << 13 };
static struct {
  _Atomic uint64_t key, rule;
} frame_rules[RULES];

static uint64_t packed_rule(struct frame_rule rule) {
  return (uint64_t)rule.form | (uint64_t)(uint32_t)rule.cfa << 2 | (uint64_t)((uint32_t)rule.bp & 0x7fffffff) << 33;
}

static struct frame_rule unpacked_rule(uint64_t packed) {
  int32_t bp = (int32_t)((uint32_t)(packed >> 33) << 1) >> 1;
  return (struct frame_rule){packed & 3, (int32_t)(packed >> 2 & 0x7fffffff), bp};
}

static struct frame_rule frame_rule_at(uint64_t back) {
  size_t slot = (back ^ back >> 13) % RULES;
  uint64_t rule = atomic_load_explicit(&frame_rules[slot].rule, memory_order_relaxed);
  if ((atomic_load_explicit(&frame_rules[slot].key, memory_order_relaxed) ^ rule) == back) return unpacked_rule(rule);
  struct frame_rule fresh = read_frame_rule(back);
  rule = packed_rule(fresh);
  atomic_store_explicit(&frame_rules[slot].rule, rule, memory_order_relaxed);
  atomic_store_explicit(&frame_rules[slot].key, back ^ rule, memory_order_relaxed);
  return fresh;
}

/* Before code is unloaded, whose addresses may become those of other code. */
static void forget_frame_rules(void) {
  for (size_t slot = 0; slot < RULES; slot++) {
    atomic_store_explicit(&frame_rules[slot].key, 0, memory_order_relaxed);
    atomic_store_explicit(&frame_rules[slot].rule, 0, memory_order_relaxed);
  }
}
