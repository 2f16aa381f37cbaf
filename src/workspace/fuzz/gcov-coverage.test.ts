import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import type { Shell } from "../../plugins/collectors/collector.ts";
import { openShell } from "../processes/shell.ts";
import { type Effort, timeGauge } from "./gauge.ts";
import { coverageEnvironment, GcovCoverage, readGcovLines } from "./gcov-coverage.ts";
import { measuringShell, runProgram, type Ending, type FuzzedProgram } from "./run-program.ts";

const missing = ["cc", "gcov"].find((tool) => spawnSync(tool, ["--version"]).error !== undefined);

let scratch: string;
let shell: Shell;
beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-gcov-")));
  shell = openShell({ environment: process.env, cacheFolder: join(scratch, "cache") });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Executes line 5 once per byte of the file, in a source file of its own. */
const source = `#include <stdio.h>
int count(FILE *f) {
  int n = 0;
  while (getc(f) != EOF)
    n++;
  return n;
}
`;
const main = `#include <stdio.h>
int count(FILE *f);
int main(int c, char **v) {
  FILE *f = fopen(v[1], "r");
  return count(f) < 0;
}
`;

function program(name: string, ...flags: string[]): string {
  const folder = join(scratch, name);
  mkdirSync(join(folder, "lib"), { recursive: true });
  writeFileSync(join(folder, "lib/count.c"), source);
  writeFileSync(join(folder, "main.c"), main);
  execFileSync("cc", ["-O0", ...flags, "main.c", "lib/count.c", "-o", "prog"], { cwd: folder });
  return folder;
}

async function run(
  directory: string,
  text: string,
  more: { readonly sources?: string; readonly notes?: string } = {},
): Promise<{ ending: Ending; gauge: GcovCoverage }> {
  const folder = join(directory, "work");
  mkdirSync(folder, { recursive: true });
  const input = join(directory, "input file");
  writeFileSync(input, text);
  const gauge = new GcovCoverage({
    folder,
    directory,
    notes: more.notes ?? directory,
    sources: more.sources ?? null,
    shell,
  });
  const environment = coverageEnvironment(folder);
  const fuzzed: FuzzedProgram = { cmd: "./prog", directory, shell, environment, hangSeconds: 20, allowsFailure: false };
  return { ending: await runProgram(fuzzed, gauge, input, 20), gauge };
}

function effortOf(ending: Ending): Effort {
  if (ending.kind !== "fine") throw new Error(ending.kind);
  return ending.effort;
}

describe.skipIf(missing !== undefined)(
  `coverage of a real program${missing ? ` (skipped: ${missing} is missing)` : ""}`,
  () => {
    test("counts the executed lines of each run, and writes nothing next to the objects", async () => {
      const folder = program("counts", "--coverage");
      const [first, second, again] = [
        await run(folder, "x".repeat(1000)),
        await run(folder, "x".repeat(2000)),
        await run(folder, "x".repeat(1000)),
      ];
      expect(effortOf(first.ending).hot).toContainEqual({ file: "lib/count.c", line: 5, count: 1000 });
      expect(effortOf(second.ending).amount - effortOf(first.ending).amount).toBe(2000);
      expect(effortOf(again.ending)).toEqual(effortOf(first.ending));
      const left = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".gcda"));
      expect(left.every((name) => name.startsWith("work/"))).toBe(true);
    });

    test("counts only lines of files below the source folder", async () => {
      const folder = program("sources", "--coverage");
      const [all, some, none] = [
        await run(folder, "abc"),
        await run(folder, "abc", { sources: join(folder, "lib") }),
        await run(folder, "abc", { sources: join(scratch, "nothing") }),
      ];
      const [whole, part] = [effortOf(all.ending).amount, effortOf(some.ending).amount];
      expect([part > 0 && part < whole, effortOf(none.ending).amount]).toEqual([true, 0]);
    });

    test("finds moved notes, and fails if there are none", async () => {
      const folder = program("moved", "--coverage");
      mkdirSync(join(folder, "notes"));
      for (const name of readdirSync(folder).filter((file) => file.endsWith(".gcno")))
        renameSync(join(folder, name), join(folder, "notes", name));
      expect(effortOf((await run(folder, "abc")).ending).amount).toBeGreaterThan(3);
      rmSync(join(folder, "notes"), { recursive: true });
      rmSync(join(folder, "work"), { recursive: true });
      const error: unknown = await run(folder, "abc").catch((caught: unknown) => caught);
      expect(isFailure(error, "coverage-unreadable")).toBe(true);
    });

    test("reports no lines for a program without coverage", async () => {
      const { ending, gauge } = await run(program("plain"), "abc");
      expect([effortOf(ending).amount, gauge.counters()]).toEqual([0, []]);
    });
  },
);

describe("the output of gcov", () => {
  const document = (lines: object[], file = "a.c"): string =>
    JSON.stringify({ current_working_directory: "/src", files: [{ file, lines }] });
  const read = (text: string): unknown => readGcovLines(new TextEncoder().encode(text));

  test("is summed per line over documents", () => {
    const text = `${document([{ line_number: 3, count: 2 }])}\n${document([
      { line_number: 3, count: 5 },
      { line_number: 4, count: 1 },
    ])}\n`;
    expect(read(text)).toEqual([
      { file: "/src/a.c", line: 3, count: 7 },
      { file: "/src/a.c", line: 4, count: 1 },
    ]);
  });

  test("may be malformed", () => {
    expect([
      read(""),
      read("[]"),
      read("null"),
      read('{"files":{}}'),
      read('{"files":[{"file":3},{"file":"/b","lines":[{"count":"x"}]}]}'),
    ]).toEqual([[], [], [], [], [{ file: "/b", line: 0, count: 0 }]]);
    expect(() => read("a.c:1: 5")).toThrow(expect.objectContaining({ code: "coverage-unreadable" }) as Error);
  });
});

describe("a run of the program", () => {
  const ended = (script: string, how: Partial<FuzzedProgram> = {}, left = 60): Promise<Ending> => {
    const fuzzed: FuzzedProgram = {
      cmd: `sh -c '${script}'`,
      directory: scratch,
      shell,
      environment: {},
      hangSeconds: 30,
      allowsFailure: false,
      ...how,
    };
    return runProgram(fuzzed, timeGauge, "/tmp/a b", left);
  };

  test("is a fault by status or signal, else fine", async () => {
    expect(await ended("exit 3")).toEqual({ kind: "fault", detail: "exited with status 3" });
    expect(await ended("kill -s SEGV $$")).toEqual({ kind: "fault", detail: "was ended by SIGSEGV" });
    expect(await ended("kill -s SEGV $$", { allowsFailure: true })).toMatchObject({ kind: "fault" });
    expect(await ended("exit 3", { allowsFailure: true })).toMatchObject({ kind: "fine" });
    expect(await ended('test "$0" = "/tmp/a b"')).toMatchObject({ kind: "fine" });
  });

  test("is a hang after the timeout, and cut if the campaign ends earlier", async () => {
    expect(await ended("sleep 60", { hangSeconds: 0.3 })).toEqual({ kind: "hang" });
    expect(await ended("sleep 60", {}, 0.3)).toEqual({ kind: "cut" });
  });

  test("of a collector ends with the campaign, too", async () => {
    const fuzzed: FuzzedProgram = {
      cmd: "x",
      directory: scratch,
      shell,
      environment: { MARK: "seen" },
      hangSeconds: 30,
      allowsFailure: false,
    };
    const measuring = measuringShell(fuzzed, () => Date.now(), 0.3);
    const error: unknown = await measuring
      .run(["sleep", "60"], { directory: scratch })
      .catch((caught: unknown) => caught);
    expect(isFailure(error, "command-timed-out")).toBe(true);
    const long = measuringShell(fuzzed, () => 0, 60);
    const { stdout } = await long.run(["sh", "-c", "echo $MARK $OTHER"], {
      directory: scratch,
      environment: { OTHER: "too" },
    });
    expect(new TextDecoder().decode(stdout)).toBe("seen too\n");
  });
});
