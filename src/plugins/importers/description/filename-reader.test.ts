import { InvalidValue, numberSyntaxOf } from "../../../core/values/index.ts";
import { describe, expect, test } from "vitest";
import type { Variable } from "../../../core/variables/variable.ts";
import type { FilenameLocation } from "../../../formats/descriptions/input/input-description.ts";
import { filenameReader } from "./filename-reader.ts";
import { extractNumber } from "./extract-number.ts";

const fs: Variable = { name: "fs", role: "parameter", occurrence: "once", type: "string", valid: ["ufs", "nfs"] };
const read = (location: Partial<FilenameLocation>, path: string, variable: Variable = fs): string | undefined =>
  filenameReader(
    { kind: "filename", name: "fs", matches: [], patterns: [], origin: { line: 1, column: 1 }, ...location },
    variable,
  )(path);
const match = (text: string, more = {}): Partial<FilenameLocation> => ({ matches: [{ text, ...more }] });

describe("text after a match in the name", () => {
  test.each([
    [match("_n"), "out_n16_p2.dat", "16_p2.dat"],
    [{ ...match("_n"), blanks: "_." }, "out_n16_p2.dat", "16_p2"],
    [{ ...match("_n"), blanks: "._" }, "out_n16_p2.dat", "16"],
    [{ ...match("_n"), length: 1 }, "out_n16_p2.dat", "1"],
    [{ ...match("_n"), length: 0 }, "out_n16 p2.dat", "16 p2.dat"],
    [match("_n"), "out_n16 p2.dat", "16"],
    [match("fs-", { terminator: "." }), "runs/fs-network.dat", "network"],
    [match("fs-", { terminator: "." }), "fs-network", "network"],
    [match("N_proc"), "bench_nproc1.dat", undefined],
    [match("N_proc", { fuzzy: true }), "bench_nproc1.dat", "1.dat"],
    [match("nproc", { fuzzy: true }), "bench_N_Proc_1.dat", "_1.dat"],
    [{ matches: [{ text: "x" }, { text: "b" }] }, "ab1", "1"],
    [{ ...match("_"), filters: [{ source: "\\.dat$", ignoreCase: false }] }, "a_b.dat", "b"],
    [{ ...match("_"), maps: [{ from: { kind: "keyword", text: "b" }, to: "nfs" }] }, "a_b", "nfs"],
  ] satisfies [Partial<FilenameLocation>, string, string | undefined][])("%j in %s", (location, path, value) => {
    expect(read(location, path)).toBe(value);
  });
});

test.each([
  ["out_64KiB.txt", "64KiB"],
  ["out_1.5us_b.txt", "1.5us"],
  ["out_64_b.txt", "64_b.txt"],
  ["out_1e5.txt", "1e5.txt"],
])("the unit of a number in %s ends with its part of the name", (path, value) => {
  const size: Variable = { name: "size", role: "parameter", occurrence: "once", type: "float" };
  expect(read(match("_"), path, size)).toBe(value);
});

const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string" };

describe("names of folders", () => {
  test.each([
    [{ folder: 0 }, "lab/node7/a.txt", "a.txt"],
    [{ folder: 1 }, "lab/node7/a.txt", "node7"],
    [{ folder: 2 }, "./lab//node7/a.txt", "lab"],
    [{ folder: 3 }, "lab/node7/a.txt", undefined],
    [{ folder: 1 }, "../node7/a.txt", "node7"],
    [{ folder: 2 }, "../node7/a.txt", undefined],
    [{ folder: 2 }, "lab/../node7/a.txt", undefined],
    [{ folder: 1, ...match("node") }, "node1/node7/a.txt", "7"],
    [{ folder: 1, maps: [{ from: { kind: "keyword", text: "n7" }, to: "seven" }] }, "x/n7/a.txt", "seven"],
    [{ folder: 1, length: 2 }, "x/node7/a.txt", "node7"],
  ] satisfies [Partial<FilenameLocation>, string, string | undefined][])("%j in %s", (location, path, value) => {
    expect(read(location, path, host)).toBe(value);
  });
});

describe("the value of a key in the path", () => {
  test.each([
    ["np", "np=4/out.txt", "4"],
    ["np", "np=4/np=8/out.txt", "8"],
    ["np", "np=4/np=8.out.gz", "8"],
    ["x", "x=1.5e3.txt", "1.5e3"],
    ["net", "net=v1.beta/out.txt", "v1.beta"],
    ["np", "run_np=4_ppn=2/out", "4"],
    ["ppn", "run-np=4-ppn=2,fs=nfs/out", "2"],
    ["fs", "run-np=4-ppn=2,fs=nfs_v3;x=1/out", "nfs_v3"],
    ["p", "np=4/out", undefined],
    ["p", "np=4_p=2/out", "2"],
    ["np", "np=/np=3/out", "3"],
    ["np", "a\nnp=4 b/out", "4"],
    ["x", "x=-1.5/out", "-1.5"],
  ])("%s in %j", (key, path, value) => {
    expect(read({ keys: [key] }, path, host)).toBe(value);
  });

  test("of several keys the first with a value counts, within the folder if one is selected", () => {
    expect(read({ keys: ["n", "np"] }, "np=4/n=/out", host)).toBe("4");
    expect(read({ keys: ["np"], folder: 2 }, "np=4/np=8/out", host)).toBe("4");
    expect(read({ keys: ["np"], mode: "boolean" }, "a/b", host)).toBe("false");
  });
});

test("a pattern splits the name; the first non-empty piece counts", () => {
  expect(read({ patterns: ["^runs/"] }, "runs/a-b")).toBe("a-b");
  expect(read({ patterns: ["^.*-n([0-9]+).*$"] }, "runs/x-n12.dat")).toBe("12");
  expect(read({ patterns: ["-"] }, "a-b")).toBe("a");
  expect(read({ patterns: ["-"] }, "ab")).toBeUndefined();
});

test("map inputs take precedence over valid values, which may occur anywhere", () => {
  const vendor: Variable = {
    name: "vendor",
    role: "parameter",
    occurrence: "once",
    type: "string",
    valid: ["A", "B", "C"],
  };
  const maps = ["A", "B", "C"].map((to) => ({ from: { kind: "keyword" as const, text: `MPI-${to}` }, to }));
  expect(read({ maps }, "PMB-MPI1_MPI-C_nn16", vendor)).toBe("C");
});

test("without a mark it searches valid values and map inputs", () => {
  const maps = [{ from: { kind: "keyword" as const, text: "myri" }, to: "ufs" }];
  expect(read({}, "bench_nfs.dat")).toBe("nfs");
  expect(read({ maps }, "a-myri.dat")).toBe("ufs");
  expect(read({ maps: [{ from: { kind: "pattern", source: "m.ri" }, to: "nfs" }] }, "a-myri.dat")).toBe("nfs");
  expect(read({}, "bench.dat")).toBeUndefined();
});

test("boolean is true when the mark is present", () => {
  expect(read({ ...match("fast"), mode: "boolean" }, "a-fast.dat")).toBe("true");
  expect(read({ ...match("fast"), mode: "boolean" }, "a.dat")).toBe("false");
  expect(read({ patterns: ["[0-9]"], mode: "boolean" }, "a1")).toBe("true");
});

test.each([
  ["16_p2.dat", "16"],
  ["2.dat", "2"],
  ["_-1.5e3x", "-1.5e3"],
  ["1,5", "1.5"],
  ["1,5,6", "1"],
  ["elapsed: 7", "7"],
  [".5", ".5"],
  ["none", undefined],
  ["- 4", "4"],
  ["1.5D+03s", "1.5e+03"],
  ["1.5d3", "1.5e3"],
  ["5d", "5"],
])("the number in %s", (text, digits) => {
  expect(extractNumber(text)).toEqual(digits === undefined ? undefined : expect.objectContaining({ digits }));
});

test.each(["1,500.5", "1,234,567", "1'500", "1.500,5"])("%s needs to know its separators", (text) =>
  expect(extractNumber(text)).toBeInstanceOf(InvalidValue),
);

test.each([
  ["de", "t: 1.234,5 s", "1234.5"],
  ["en", "1,234,567.25", "1234567.25"],
  ["fr", "x=1\u202f234\u00a0567,5", "1234567.5"],
  ["de-CH", "1\u2019234.5", "1234.5"],
])("numbers of %s", (locale, text, digits) =>
  expect(extractNumber(text, numberSyntaxOf(locale))).toEqual(expect.objectContaining({ digits })),
);

test("numbers that do not follow the given separators are refused", () => {
  expect(extractNumber("1.5", numberSyntaxOf("de"))).toBeInstanceOf(InvalidValue);
  expect(extractNumber("1.2345", numberSyntaxOf("de"))).toBeInstanceOf(InvalidValue);
});
