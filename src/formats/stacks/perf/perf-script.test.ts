import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bytesOf, inPieces } from "../../../../test/contracts/arbitrary-stacks.ts";
import { foldedText } from "../folded.ts";
import { readPerfStacks } from "./perf-script.ts";
import { plainCalls } from "./plain-call.ts";

const read = (text: string, size?: number) => readPerfStacks(inPieces(bytesOf(text), size), "f");
const folded = async (text: string, size?: number): Promise<string> =>
  [...foldedText(await read(text, size), 1)].join("");
const named = (call: string): (string | undefined)[] | undefined =>
  plainCalls(`\t  7f12 ${call}`)?.map(({ plain }) => plain);

/** Expected: the output of FlameGraph's stackcollapse-perf for such lines. */
test.each([
  ["main+0x1f (/bin/a)", ["main"]],
  ["std::vector<int>::push_back(int const&)+0x12 (/bin/a)", ["std::vector<int>::push_back"]],
  ["(anonymous namespace)::f(int) (/bin/a)", []],
  ["a::(anonymous namespace)::f(int) (/bin/a)", ["a::(anonymous namespace)::f"]],
  ["net/http.(*Client).Do (/bin/a)", ["net/http.(*Client).Do"]],
  ["[unknown] (/usr/lib/libc.so.6)", ["[libc.so.6]"]],
  ["[unknown] ([kernel.kallsyms])", ["[[kernel.kallsyms]]"]],
  ["[unknown] ([unknown])", ["[unknown]"]],
  ["Lorg/Foo;::bar (/tmp/perf-1.map)", ["Lorg/Foo:::bar"]],
  [`RegExp:[&<>"'] (/tmp/perf-1.map)`, ["RegExp:[&<>]"]],
  ["Foo::a->Foo::b (/tmp/perf-1.map)", ["Foo::a", "Foo::b"]],
  ["Ptr<int>::operator-> (/bin/a)", ["Ptr<int>::operator"]],
  ["f (/tmp/gone (deleted))", ["f "]],
  ["inlined_one (inlined)", ["inlined_one"]],
])("%s becomes %j", (line, plain) => {
  expect(named(line)).toEqual(plain);
});

describe("stacks", () => {
  const text = [
    "# a comment",
    "my app 12/13 [001] 1.5: 10 cycles:u: ",
    "\t  4011 inner(int)+0x1 (/bin/a)",
    "\t  4012 outer (/bin/a)",
    "",
    "my app 12/13 [001] 1.6: 5 cycles:u: ",
    "\t  4019 inner(int)+0x9 (/bin/a)",
    "\t  4012 outer (/bin/a)",
    "",
    "my app 12/13 [001] 1.7: 99 instructions:u: ",
    "\t  4019 inner(int)+0x9 (/bin/a)",
    "",
    "java 5 1.8: 7 cycles:u: ",
    "\t  1 La/B;::run (/tmp/perf-5.map)",
    "\t  2 [unknown] (/lib/x.so)",
    "\t  3 LinkResolver::resolve(int) (/lib/jvm.so)",
    "",
    "java 5 1.9: 1 cycles:u: ",
    "",
  ].join("\n");

  test("the command is outermost, and only the first event counts, in pieces of any size", async () => {
    const expected = "java 1\njava;LinkResolver::resolve;[x.so];a/B:::run 7\nmy_app;outer;inner 15\n";
    for (const size of [1, 7, 1e6]) expect(await folded(text, size)).toBe(expected);
  });

  test("counts samples and periods, and keeps full names", async () => {
    const profile = await read(text);
    expect([profile.main, profile.types]).toEqual([
      1,
      [
        { name: "samples", unit: "count" },
        { name: "cycles", unit: "count" },
      ],
    ]);
    expect([...foldedText(profile, 0)].join("")).toContain("my_app;outer;inner 2\n");
    expect(profile.stacks.frames).toContainEqual({
      function: "inner(int)",
      plain: "inner",
      module: { path: "/bin/a" },
    });
  });

  test("without periods each sample counts once", async () => {
    expect(await folded("a 1 2.0: cpu-clock: \n\t 40 f (x)\n\na 1 2.1: cpu-clock: \n\t 41 f (x)\n\n")).toBe("a;f 2\n");
  });

  test.each(["fp.txt", "dwarf.txt", "events.txt"])("reads all samples of %s", async (name) => {
    const sample = readFileSync(`test/samples/perf-script/${name}`, "utf8");
    const profile = await read(sample);
    const count = Array.from({ length: profile.samples.length }, (_, row) => profile.samples.valueOf(row, 0)).reduce(
      (a, b) => a + b,
      0,
    );
    expect(count).toBe(sample.split("\n").filter((line) => /^\S.*:\s*$/.test(line)).length);
  });

  test("a text without samples is refused", async () => {
    await expect(read("no sample\n")).rejects.toMatchObject({ code: "not-perf-script" });
    await expect(read("a 1 2.0: cpu-clock: \n\t 40 f")).rejects.toMatchObject({ code: "not-perf-script" });
  });

  test("unbalanced parentheses take linear time", async () => {
    const line = `\t 40 ${" (".repeat(1 << 18)}`;
    await expect(read(`a 1 2.0: cpu-clock: \n${line})\n\n`)).resolves.toBeDefined();
  });
});
