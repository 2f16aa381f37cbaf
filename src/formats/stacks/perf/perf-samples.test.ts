import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { frameName, isKernel, moduleName, readPerfFrame } from "./perf-frame.ts";
import { eventName, readPerfHeader } from "./perf-header.ts";
import type { PerfSample, PerfScriptEnd } from "./perf-samples.ts";
import { PerfScriptReader } from "./perf-script.ts";

interface Read {
  readonly samples: readonly PerfSample[];
  /** Folded stacks, outermost call first. */
  readonly stacks: readonly string[];
  readonly end: PerfScriptEnd;
}

/** Reads a text in pieces that end at the given positions. */
function read(text: string | Uint8Array, cuts: readonly number[] = []): Read {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const samples: PerfSample[] = [];
  const reader = new PerfScriptReader((sample) => samples.push(sample));
  const offsets = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (const [at, offset] of offsets.entries()) if (at > 0) reader.push(bytes.subarray(offsets[at - 1], offset));
  const end = reader.end("x.txt");
  const stacks = samples.map(({ stack }) => reader.stacks.framesOf(stack).map(frameName).toReversed().join(";"));
  return { samples, stacks, end };
}

const sample = (name: string): Buffer => readFileSync(`test/samples/perf-script/${name}.txt`);

describe("recorded samples", () => {
  const name = "a (b) 12 [3]";

  test("with frame pointers", () => {
    const { samples, stacks, end } = read(sample("fp"));
    expect(end).toEqual({ samples: samples.length, lost: 0, unreadable: 0, isTruncated: false });
    expect(new Set(samples.map(({ command, event, period }) => `${command} ${event} ${period}`))).toEqual(
      new Set([`${name} cpu-clock:pppH 2004008`]),
    );
    expect(samples[0]).toMatchObject({ process: 16776, thread: 16776, cpu: null, seconds: 35525.974848 });
    const sorter =
      "deep::Sorter::operator()<std::pair<int, long>, std::__cxx11::basic_string<char, " +
      "std::char_traits<char>, std::allocator<char> > >";
    expect(stacks[0]).toBe(`__libc_start_call_main;main;${sorter};clock_gettime@@GLIBC_2.17;__vdso_clock_gettime`);
    expect(
      stacks.filter((stack) => stack.startsWith("__libc_start_call_main;main;add;add;add;add;")).length,
    ).toBeGreaterThan(0);
  });

  test("with debug information, where calls are inlined", () => {
    const { stacks, end } = read(sample("dwarf"));
    expect([end.unreadable, end.samples]).toEqual([0, stacks.length]);
    expect(stacks[0]).toMatch(
      /^_start;__libc_start_main_impl;__libc_start_call_main;main;.*;spent;std::chrono::_V2::steady_clock::now@plt$/,
    );
  });

  test("without stacks, where the only frame follows the event", () => {
    const { stacks, end } = read(sample("plain"));
    expect([end.samples, end.unreadable]).toEqual([11, 0]);
    expect(stacks).toContain("spent");
    expect(stacks).toContain("_copy_to_iter");
  });

  test("with a processor and without period", () => {
    const { samples, end } = read(sample("fields"));
    expect([end.samples, end.unreadable]).toEqual([5, 0]);
    expect(samples[0]).toMatchObject({ command: name, process: 31784, cpu: 0, period: 1, event: "cpu-clock:pppH" });
  });

  test("of another event, with unknown addresses", () => {
    const { samples, stacks } = read(sample("events"));
    expect(samples[0]).toMatchObject({ command: "planted", event: "page-faults", period: 20 });
    expect(stacks[0]).toBe("[unknown];_dl_map_object;memset");
  });

  test("are independent of chunk boundaries", () => {
    const expected = read(sample("fp"));
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (cuts) => {
        expect(read(sample("fp"), cuts)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  test("lose only the last sample if truncated", () => {
    const bytes = sample("fp");
    const complete = read(bytes);
    fc.assert(
      fc.property(fc.integer({ min: 400, max: bytes.length }), (length) => {
        const { stacks, end } = read(bytes.subarray(0, length));
        const last = stacks.length - (stacks.at(-1) === complete.stacks[stacks.length - 1] ? 0 : 1);
        expect(stacks.slice(0, last)).toEqual(complete.stacks.slice(0, last));
        expect(end.samples).toBe(stacks.length);
      }),
    );
    expect(read(bytes.subarray(0, bytes.indexOf("\n\n") + 90)).end).toMatchObject({ samples: 1, isTruncated: true });
  });
});

test.each([
  [
    "swapper     0 [000] 158665.570607: cpu-clock: ",
    { command: "swapper", process: 0, thread: 0, cpu: 0, event: "cpu-clock", period: 1 },
  ],
  [
    "java 25607/25609 4794564.109216: 12 cycles:u:",
    { command: "java", process: 25607, thread: 25609, period: 12, event: "cycles:u" },
  ],
  ["V8 WorkerThread 7 8 9 1.5:  3 cycles: ", { command: "V8 WorkerThread 7 8", process: 9, seconds: 1.5 }],
  [
    "a 1/2 [001] 1.5: sched:sched_switch: prev_comm=x next_pid=7",
    { event: "sched:sched_switch", rest: "prev_comm=x next_pid=7" },
  ],
  ["a 1/2 cpu/event=0x3c,umask=0/u: ", { event: "cpu/event=0x3c,umask=0/u", seconds: null }],
  ["a -1/-1 1.5: ", { process: -1, thread: -1, event: "", seconds: 1.5 }],
])("header %s", (line, expected) => {
  expect(readPerfHeader(line)).toMatchObject(expected);
});

test.each(["", "   ", "a", "12 1.5: cycles:", "a b c", "a 1/2", "a 1/2 [3]", "a 1 2 3"])("no header: '%s'", (line) => {
  expect(readPerfHeader(line)).toBeNull();
});

test("eventName removes only modifiers", () => {
  expect(["cycles:u", "cpu-clock:pppH", "cycles", "sched:sched_switch", "cycles:"].map(eventName)).toEqual([
    "cycles",
    "cpu-clock",
    "cycles",
    "sched:sched_switch",
    "cycles",
  ]);
});

test.each([
  ["\t 7f12 main+0x1f (/bin/a)", "main", "a", false],
  ["\t 7f12 operator()(int) const+0x1 (/tmp/a (b)/c)", "operator()(int) const", "c", false],
  ["\t 7f12 f (/tmp/lib.so (deleted))", "f", "lib.so", false],
  ["\t 7f12 [unknown] (/usr/lib/libc.so.6)", "[libc.so.6]", "libc.so.6", false],
  ["\t 7f12 [unknown] ([unknown])", "[unknown]", null, false],
  ["\t ffffffff81000130 entry+0x76 ([kernel.kallsyms])", "entry", "[kernel.kallsyms]", true],
  ["\t ffffffffc0a0 nf_hook ([nf_tables])", "nf_hook", "[nf_tables]", true],
  ["\t ffffffffc0a0 nf_hook (/lib/modules/6.1/nf.ko)", "nf_hook", "nf.ko", true],
  ["\t b46 [unknown] ([vdso])", "[vdso]", "[vdso]", false],
  ["\t 7f12 LazyCompile:~run /a.js:1 (/tmp/perf-123.map)", "LazyCompile:~run /a.js:1", "[jit]", false],
  ["\t 7f12 put (inlined)", "put", null, false],
  ["\t add (prog)", "add", "prog", false],
  ["\t 7f12 main", "main", null, false],
])("frame %s", (line, name, module, kernel) => {
  const frame = readPerfFrame(line)!;
  expect([frameName(frame), moduleName(frame), isKernel(frame)]).toEqual([name, module, kernel]);
});

test.each(["", "\t", "\t main", "\t main and more", "\t 7f12"])("no frame: '%s'", (line) => {
  expect(readPerfFrame(line)).toBeNull();
});

test("skips broken chains and comments, and counts lost events", () => {
  const text =
    "# ====\n#\na 1 1.5: 1 cycles: \n\t 7f f (a)\n\t 0 [unknown] ([unknown])\n\n" +
    "a 1/1 1.6: PERF_RECORD_LOST lost 12\nx\n";
  const { stacks, end } = read(text);
  expect([stacks, end]).toEqual([["f"], { samples: 1, lost: 12, unreadable: 1, isTruncated: false }]);
});

test("reads a sample without a stack", () => {
  const { samples, stacks } = read("a 1 1.5: 1 cycles: \n\na 1 1.6: 1 cycles: \n\n");
  expect([samples.length, stacks]).toEqual([2, ["", ""]]);
});

test("refuses other texts, but accepts an empty one", () => {
  expect(read("").end.samples).toBe(0);
  try {
    read("hello\nworld\n");
    expect.unreachable();
  } catch (error) {
    expect(isFailure(error, "not-perf-script")).toBe(true);
  }
});

test("any bytes are read or refused", () => {
  const pieces = fc.constantFrom(
    "a 1/2 [003] 1.5: 7 cycles:u: ",
    "\t",
    " ",
    "\n",
    "7f ",
    "main+0x1 ",
    "(/a b)",
    "([k])",
    "0 [unknown] ([unknown])",
    "#",
    "\u0000é",
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(pieces, { maxLength: 60 }).map((all) => new TextEncoder().encode(all.join(""))),
  );
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(), { maxLength: 4 }), (text, cuts) => {
      try {
        const { samples, end } = read(text, cuts);
        expect(end.samples).toBe(samples.length);
        for (const { period } of samples) expect(period).toBeGreaterThanOrEqual(0);
      } catch (error) {
        if (!isFailure(error, "not-perf-script")) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});
