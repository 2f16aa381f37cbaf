import { beforeAll, expect, test } from "vitest";
import { Playground, timeProfile } from "./program.ts";

interface Overview {
  readonly totals: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly changes: readonly { readonly key: string; readonly outcome: string }[];
}

const place = new Playground();
/** Gets slower in commit 6. */
const levels = [10, 10.1, 9.9, 10.05, 9.95, 10, 13, 13.1, 12.9, 13.05, 12.95, 13];

beforeAll(() => {
  place.commit("first");
  place.ok("init");
  place.write("io.exp", "*experiment io\nReads\n*parameter size int\n*result rate float MB/s\n");
  place.write("io.inp", 'TABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n');
  place.ok("experiment", "create", "io.exp");
  for (const [at, level] of levels.entries()) {
    const origin = place.commit(`change ${at}`);
    const amounts = [level, level * 1.01, level * 0.99];
    for (const size of [10, 2]) {
      const profile = timeProfile({ origin, amounts, cmd: "./work", workload: `size=${size} procs=8` });
      place.ok("add", place.write(`p${at}-${size}.perf`, profile));
    }
  }
  for (const at of [0, 1]) {
    place.commit(`measured ${at}`);
    place.write(`r${at}.txt`, `size rate\n1 ${100 + at}\n`);
    place.ok("import", "-e", "io", "-d", "io.inp", `r${at}.txt`);
  }
}, 120_000);

test("markdown counts the commits that were measured, with profiles or in experiments", () => {
  const { totals } = place.json("report") as Overview;
  const text = place.ok("report", "--format", "markdown");
  expect([totals["commits"], totals["measured"]]).toEqual([levels.length + 3, levels.length + 2]);
  expect(text).toContain(`${levels.length + 3} commits, ${levels.length + 2} measured`);
  expect(text).not.toContain("with profiles");
});

test("rows of changes and counts by outcome are the same series", () => {
  const { changes, outcomes } = place.json("report") as Overview;
  const keys = changes.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const word of ["worse", "better"]) {
    expect(changes.filter(({ outcome }) => outcome === word)).toHaveLength(outcomes[word]!);
  }
  expect(outcomes["worse"]).toBe(2);
});

test("words that all rows share stand once above them", () => {
  const text = place.ok("report", "--format", "markdown");
  const above = /^shared by all rows: (.*)$/m.exec(text)?.[1] ?? "";
  expect(above).toContain("./work");
  const rows = text.split("\n").filter((line) => line.startsWith("| worse"));
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).not.toContain("./work");
  for (const size of ["size=10", "size=2"]) expect(rows.filter((row) => row.includes(size))).toHaveLength(1);
});
