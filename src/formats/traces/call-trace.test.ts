import { expect, test } from "vitest";
import {
  isAllocator,
  isSystemLibrary,
  relativeSource,
  Traces,
  unreachable,
  type Frame,
  type TraceRules,
} from "./call-trace.ts";

const plain: TraceRules = { all: false, noFunctions: [], noSources: [] };
const frame = (name: string, source: string, line = 1): Frame => ({ function: name, source, line });

const inner = frame("operator new(unsigned long)", "vg_replace_malloc.c", 400);
const lost = frame("qsort", unreachable, 0);
const push = frame("List<int>::push(int)", "src/list.h", 7);
const main = frame("main", "main.cpp", 9);

function describeTrace(
  rules: Partial<TraceRules>,
  frames: readonly Frame[] = [inner, lost, push, main],
): string | null {
  const trace = new Traces({ ...plain, ...rules }).of(frames);
  const names = (json: unknown): string => (json as ReadonlyMap<string, string>).get("function")!;
  return trace && `${names(trace.uid)} of ${(trace.json as readonly unknown[]).map(names).join(" < ")}`;
}

test("omits frames of the allocator and frames without source, unless all are requested", () => {
  expect(describeTrace({})).toBe("List<int>::push(int) of List<int>::push(int) < main");
  expect(describeTrace({ all: true })).toBe(
    "operator new(unsigned long) of operator new(unsigned long) < qsort < List<int>::push(int) < main",
  );
  expect(describeTrace({}, [inner, lost])).toBeNull();
  expect(describeTrace({ all: true }, [lost])).toBe("qsort of qsort");
  expect(describeTrace({}, [])).toBeNull();
});

test("exclusions match functions with or without prototype, and sources by path or file name", () => {
  for (const noFunctions of [["List<int>::push(int)"], ["List<int>::push"]])
    expect(describeTrace({ noFunctions })).toBeNull();
  for (const noSources of [["src/list.h"], ["list.h"]]) expect(describeTrace({ noSources })).toBeNull();
  expect(describeTrace({ noFunctions: ["main"], noSources: ["main.cpp"] })).not.toBeNull();
});

test("equal traces are one object", () => {
  const traces = new Traces(plain);
  expect(traces.of([push, main])).toBe(traces.of([inner, { ...push }, { ...main }]));
  expect(traces.of([push])?.id).not.toBe(traces.of([main])?.id);
});

test("recognizes allocators and system libraries", () => {
  for (const name of ["malloc", "operator new[](unsigned long)", "operator delete(void*)", "pvalloc"])
    expect(isAllocator(name)).toBe(true);
  for (const name of ["my_malloc", "operator news", "reallocate"]) expect(isAllocator(name)).toBe(false);
  for (const path of ["/lib/libc.so.6", "/usr/lib/ld-linux-x86-64.so.2", "/x/libstdc++.so.6.0.30"])
    expect(isSystemLibrary(path)).toBe(true);
  for (const path of ["/x/libcurl.so.4", "./libmine.so", "libc.so"]) expect(isSystemLibrary(path)).toBe(false);
});

test("sources below a directory become relative to it", () => {
  expect([
    relativeSource("/a/b", "/a/b/c.c"),
    relativeSource("/a/b/", "/a/b/c.c"),
    relativeSource("/a/b", "/a/bc.c"),
  ]).toEqual(["c.c", "c.c", "/a/bc.c"]);
});
