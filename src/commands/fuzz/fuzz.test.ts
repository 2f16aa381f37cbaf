import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { decodeProfile, normaliseProfile } from "../../formats/profile/profile.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { FuzzOptions } from "./options.ts";
import { fuzz } from "./fuzz.ts";

const missing = ["cc", "gcov", "git"].find((tool) => spawnSync(tool, ["--version"]).error !== undefined);

let scratch: string;
let project: string;

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-fuzz-")));
  project = join(scratch, "project");
  mkdirSync(join(project, "samples"), { recursive: true });
  writeFileSync(join(project, "samples/a.txt"), "let x = 12 * (y + 3)\nif (x > 10) print x\n  else return 0\n");
  writeFileSync(join(project, "samples/b.txt"), "one two three four 5 6 7\n");
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function open(): Workspace {
  const environment = { PATH: process.env["PATH"], HOME: join(scratch, "home") };
  return new Workspace({ directory: project, environment, now: () => Date.now(), random: () => 0.5, command: "test" });
}

const options: FuzzOptions = {
  cmd: "./tokens",
  samples: ["samples"],
  without: [],
  folder: "fuzzed",
  collector: { name: "time", params: new Map() },
  postprocessors: [],
  coverage: { skip: false },
  seconds: 100,
  runs: 45,
  hangSeconds: 30,
  allowsFailure: false,
  size: { most: 4000, increase: 0 },
  tries: 100,
  interesting: 5,
  rate: 1.5,
  anyGrowth: false,
  strategy: "mixed",
  ruleFiles: [],
  seed: 1,
  room: 1 << 26,
  graphs: true,
  resume: false,
  confirm: null,
};

/**
 * Counts trailing blanks. Planted defects: each blank of a run of blanks scans for the end of the line, and a word of
 * more than 300 letters aborts. Prints its step count, so no test depends on time.
 */
const tokens = `#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
static char text[1 << 20];
static int steps;
static int ends_line(const char *at) {
  while (*at == ' ')
    at++, steps++;
  return *at == '\\n';
}
int main(int count, char **words) {
  FILE *file = fopen(words[count - 1], "rb");
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  int trailing = 0, length = 0;
  for (char *at = text; *at; at++) {
    length = isalpha((unsigned char)*at) ? length + 1 : 0;
    if (length > 300) abort();
    if (*at == ' ') trailing += ends_line(at);
  }
  printf("%d trailing blanks\\nsteps: %d\\n", trailing, steps);
  return 0;
}
`;

/** Measures by the steps that the program prints. */
const bySteps = {
  name: "command",
  params: new Map([
    ["experiment", "steps.exp"],
    ["description", "steps.inp"],
  ]),
};

function build(...flags: string[]): void {
  writeFileSync(join(project, "steps.exp"), "*experiment steps\n*parameter host string - NULL once\n*result n int -\n");
  writeFileSync(join(project, "steps.inp"), 'NAMED n alias="steps" ignore=":"\n');
  writeFileSync(join(project, "tokens.c"), tokens);
  execFileSync("cc", ["-O0", ...flags, "tokens.c", "-o", "tokens"], { cwd: project });
}

const filesOf = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();

describe.skipIf(missing !== undefined)(
  `fuzzing a real program${missing ? ` (skipped: ${missing} is missing)` : ""}`,
  () => {
    test("finds the planted quadratic loop and the planted fault", async () => {
      build("--coverage");
      const before = filesOf(project);
      const found: string[] = [];
      const how = { ...options, collector: bySteps };
      const report = await fuzz(open(), how, { found: ({ kind }) => found.push(kind) });
      const [worst] = report.findings;
      expect(worst).toMatchObject({
        kind: "degradation",
        from: "samples/000000-a.txt",
        changes: [{ result: "Degradation" }],
      });
      expect([worst!.hot[0]!.file, [7, 8].includes(worst!.hot[0]!.line)]).toEqual(["tokens.c", true]);
      expect(worst!.growth).toBeGreaterThan(1.5);
      expect(readFileSync(join(project, "fuzzed", worst!.file!)).length).toBe(worst!.size);
      expect(report.findings.find(({ kind }) => kind === "fault")).toMatchObject({ detail: "was ended by SIGABRT" });
      expect(found.length).toBe(report.findings.length);
      // No files remain outside of the folder, including coverage counters.
      expect(filesOf(project).filter((name) => name !== "fuzzed" && !name.startsWith("fuzzed/"))).toEqual(before);
      expectWhole(worst!.file!);
      await resumes(report.runs);
    });

    function expectWhole(file: string): void {
      const stem = file.replace(/^degradations\/(\d+)-.*$/, "$1");
      const profile = readFileSync(join(project, "fuzzed/profiles", `${stem}.perf`));
      expect(decodeProfile(normaliseProfile(profile, "x").body).fixed.get("cmd")).toBe("./tokens");
      expect(readFileSync(join(project, "fuzzed/diffs", `${stem}.diff`), "utf8")).toContain("+++ ");
      expect(readdirSync(join(project, "fuzzed/graphs")).toSorted()).toEqual(["effort.svg", "finds.svg", "rules.svg"]);
      expect(JSON.parse(readFileSync(join(project, "fuzzed/report.json"), "utf8"))).toMatchObject({
        schema: "perfkeep.fuzz/2",
        cmd: "./tokens",
      });
    }

    async function resumes(runs: number): Promise<void> {
      const again = await fuzz(open(), { ...options, collector: bySteps, runs: 2, resume: true });
      expect(again.runs).toBeGreaterThan(runs);
      for (const other of [{ cmd: "./tokens -x" }, { seed: 2 }, { samples: ["samples/a.txt"] }]) {
        const error: unknown = await fuzz(open(), { ...options, collector: bySteps, ...other }).catch(
          (caught: unknown) => caught,
        );
        expect(isFailure(error, "campaign-differs")).toBe(true);
      }
    }

    test("falls back to CPU time without coverage, and reports that", async () => {
      build();
      const notices: string[] = [];
      const report = await fuzz(open(), { ...options, runs: 12 }, { notice: (text) => notices.push(text) });
      expect(report.fitness).toEqual({ kind: "time", unit: "s" });
      expect(notices[0]).toContain("not built with --coverage");
      expect(report.notes).toEqual(notices);
    });

    test("measures with user rules, collector options, postprocessors and another method", async () => {
      build("--coverage");
      writeFileSync(join(project, "rules.yml"), '"(\\\\w+) (\\\\w+)": "\\\\2 \\\\1"\n');
      const collector = { name: "time", params: new Map([["repeat", 2]]) };
      const postprocessors = [{ name: "regressogram", params: new Map([["per_key", "order"]]) }];
      const more = {
        collector,
        postprocessors,
        ruleFiles: ["rules.yml"],
        method: "average-amount",
        runs: 15,
        graphs: false,
      };
      const report = await fuzz(open(), { ...options, ...more });
      expect(report.rules.find(({ name }) => name === "pattern (\\w+) (\\w+)")?.tried).toBeGreaterThan(0);
      const baseline = decodeProfile(
        normaliseProfile(readFileSync(join(project, "fuzzed/profiles/baseline.perf")), "x").body,
      );
      expect(baseline.steps.map(({ name }) => name)).toEqual(["time", "regressogram"]);
      expect(baseline.models.length).toBeGreaterThan(0);
      expect(readdirSync(join(project, "fuzzed/graphs"))).toEqual([]);
    });
  },
);

describe("invalid input", () => {
  const code = async (more: Partial<FuzzOptions>): Promise<unknown> =>
    fuzz(open(), { ...options, cmd: "cat", runs: 3, ...more }).then(
      () => "fine",
      (error: unknown) => (isFailure(error) ? error.code : error),
    );

  test("fails with a specific code and leaves no files", async () => {
    const before = filesOf(project);
    const codes = [
      await code({ cmd: "no-such-program" }),
      await code({ cmd: "echo 'open" }),
      await code({ cmd: "false" }),
      await code({ samples: ["nothing-there"] }),
      await code({ only: "[.]xml$" }),
      await code({ only: "(?=x)" }),
      await code({ without: ["[.]txt$"] }),
      await code({ samples: ["/dev/zero"] }),
      await code({ collector: { name: "no-such", params: new Map() } }),
      await code({ collector: { name: "time", params: new Map([["repeat", "x"]]) } }),
      await code({ method: "no-such" }),
      await code({ folder: "samples" }),
      await code({ resume: true }),
    ];
    expect(codes).toEqual([
      "command-not-found",
      "bad-command",
      "bad-sample",
      "bad-sample",
      "no-samples",
      "pattern-error",
      "no-samples",
      "bad-sample",
      "unknown-plugin",
      "bad-collector-option",
      "unknown-plugin",
      "output-folder-taken",
      "no-campaign",
    ]);
    expect(filesOf(project)).toEqual(before);
  });

  test("unusual sample names are safe", async () => {
    const names = ["-rf", "a b", "$(touch x)", "new\nline", "ü.txt", "..x", "%s"];
    mkdirSync(join(project, "odd"));
    for (const name of names) writeFileSync(join(project, "odd", name), `${name}\n`);
    const report = await fuzz(open(), {
      ...options,
      cmd: "cat",
      samples: ["odd"],
      runs: names.length + 10,
      graphs: false,
    });
    expect(report.samples.initial).toBe(names.length - 1);
    expect(filesOf(join(project, "fuzzed/samples")).every((name) => /^\d{6}-[\w.-]+$/.test(name))).toBe(true);
    expect(readdirSync(project).toSorted()).toEqual(["fuzzed", "odd", "samples"]);
  });
});
