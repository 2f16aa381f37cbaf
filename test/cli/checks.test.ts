import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Playground, timeProfile } from "./program.ts";

let place: Playground;
let first: string;
let head: string;

function add(name: string, amounts: readonly number[], version: string): void {
  place.write(`.perun/jobs/${name}`, timeProfile({ origin: version, amounts, workload: "big" }));
  place.ok("add", "-m", version, name);
}

function storedLines(version: string): string[] {
  const file = join(place.folder, ".perun/objects", version.slice(0, 2), `${version.slice(2)}.changes`);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

describe("changes that a check finds", () => {
  beforeEach(() => {
    place = new Playground();
    first = place.commit("Begin");
    head = place.commit("Sort by merging");
    place.ok("init");
  });

  it("are stored with the version, shown by status and log, and cleared when they are no longer true", () => {
    add("a.perf", [1], first);
    add("b.perf", [4], head);
    expect(place.run(["check", "head"]).status).toBe(1);
    expect(storedLines(head)).toEqual([
      `./work PerformanceChange.Degradation time 1.0s 4.0s 4.0 q 1.19e-06 0.0 ${first} ./work big`,
    ]);
    expect(place.ok("status")).toMatch(/Last check: 1 worse[^]*└ worse: time 1 s → 4 s, 4x/);
    expect(place.ok("log", "--short")).toMatch(/Sort by merging +-/);
    place.ok("rm", "b.perf");
    add("c.perf", [1.1], head);
    expect(place.run(["check", "all"]).status).toBe(3);
    expect(storedLines(head)).toEqual([]);
    expect(place.ok("status")).not.toContain("worse");
  });

  it("are looked for everywhere: another selection is refused, and a key that nothing reads is told", () => {
    add("a.perf", [1], first);
    add("b.perf", [4], head);
    place.ok("config", "set", "selection_method", "whole_repository_selection");
    expect(place.run(["check", "head"]).status).toBe(1);
    place.ok("config", "set", "selection_method", "newest");
    for (const words of ["head", "all"])
      expect(place.run(["check", words])).toMatchObject({
        status: 4,
        stderr: expect.stringContaining("'newest' is not whole_repo"),
      });
    const told = place.run(["config", "set", "format.output_show_template", "%date%"]);
    expect(told).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("nothing reads format.output_show_template"),
    });
  });

  it("of other methods and commands stay", () => {
    add("a.perf", [1], first);
    add("b.perf", [4], head);
    const file = `.perun/objects/${head.slice(0, 2)}/${head.slice(2)}.changes`;
    const kept = [
      `./other PerformanceChange.Degradation time 1.0s 4.0s 4.0 no 0.0 0.0 ${first} ./other`,
      `./work PerformanceChange.Degradation model linear quadratic 1 r_square 0.99 0.0 ${first} ./work big`,
    ];
    place.write(
      file,
      [...kept, `./gone PerformanceChange.Degradation time 1.0s 4.0s 4.0 no 0.0 0.0 ${first} ./work big`].join("\n"),
    );
    place.run(["check", "head", "--method", "aat"]);
    expect(storedLines(head)).toEqual([
      kept[0],
      expect.stringContaining("./work PerformanceChange.Degradation model"),
      expect.stringContaining("time"),
    ]);
  });

  it("are found beside a pair that cannot be compared, which is told by name", () => {
    const [amounts, bytes] = [
      timeProfile({ amounts: [1], cmd: "./b" }),
      timeProfile({ amounts: [9], cmd: "./b" }).replace('"s"', '"B"'),
    ];
    for (const [name, text, version] of [
      ["x.perf", amounts, first],
      ["y.perf", bytes, head],
    ] as const) {
      place.write(`.perun/jobs/${name}`, text.replace("{", `{"origin": "${version}", `));
      place.ok("add", "-m", version, name);
    }
    add("a.perf", [1], first);
    add("b.perf", [1], head);
    const alone = place.run(["check", "head"]);
    expect([alone.status, alone.stdout]).toEqual([
      3,
      expect.stringContaining("y.perf cannot be compared with x.perf: "),
    ]);
    expect(alone.stdout).toContain("inconclusive (1 compared)");
    place.ok("rm", "b.perf");
    add("c.perf", [4], head);
    expect(place.run(["check", "head"]).status).toBe(1);
  });

  it("of any two profiles are stored with the version of the target, which is written beside them", () => {
    place.write("a.perf", timeProfile({ origin: first, amounts: [1] }));
    place.write("b.perf", timeProfile({ origin: head, amounts: [4] }));
    place.write("c.perf", timeProfile({ origin: "ab".repeat(20), amounts: [4] }));
    expect(place.run(["check", "profiles", "a.perf", "b.perf"]).status).toBe(1);
    expect(storedLines(head)).toEqual([
      `./work PerformanceChange.Degradation time 1.0s 4.0s 4.0 q 1.19e-06 0.0 ${head} ./work`,
    ]);
    expect(place.run(["check", "profiles", "a.perf", "c.perf"]).status).toBe(1);
    expect(place.run(["check", "profiles", "b.perf", "b.perf"]).status).toBe(3);
    expect(storedLines(head)).toEqual([]);
  });
});

/** A profile with one line fitted to its points, or with a step function. */
function modelled(slope: number, values: readonly number[]): string {
  const formula = { model: "linear", coeffs: [0, slope].map((value, i) => ({ name: `b${i}`, value })) };
  const sampled = { model: "regressogram", bucket_stats: values, per_key: "structure-unit-size", of_key: "amount" };
  return JSON.stringify({
    header: { type: "mixed", cmd: "./sort", workload: "", units: { mixed: "us" } },
    collector_info: { name: "complexity", params: {} },
    postprocessors: [{ name: "regression_analysis", params: {} }],
    resources: [{ amount: 1, "structure-unit-size": 1, type: "mixed", uid: "swap" }],
    models: [formula, sampled].map((model) => ({ ...model, uid: "swap", r_square: 1, x_start: 0, x_end: 39 })),
  });
}

describe("methods that compare models", () => {
  const flat = Array.from({ length: 40 }, () => 10);

  beforeAll(() => {
    place = new Playground();
    place.write("a.perf", modelled(1, flat));
    place.write(
      "b.perf",
      modelled(
        3,
        flat.map((value, i) => (i < 4 ? 2 * value : value)),
      ),
    );
  });

  it("compare those of the strategy asked for, and tell the parts in which something changed", () => {
    const ended = place.run([
      "check",
      "profiles",
      "a.perf",
      "b.perf",
      "--method",
      "local-statistics",
      "--models-type",
      "all-models",
    ]);
    expect(ended.status).toBe(1);
    expect(ended.stdout.split("\n")).toEqual([
      "at swap:",
      "└ worse: linear → linear, 2x (r_square = 1)",
      "└ same: regressogram → regressogram, 0.1x (r_square = 1)",
      "  └ from 0 to 3: 1x worse",
      "1 worse",
      "",
    ]);
    expect(
      place.json("check", "profiles", "b.perf", "b.perf", "--method", "int", "--models-type", "best-nonparam"),
    ).toMatchObject({
      changes: [{ location: "swap", from: "regressogram", result: "NoChange", rate: 0 }],
    });
  });

  it.each([
    ["best_model_order_equality", "NoChange"],
    ["linear_regression", "Degradation"],
    ["polynomial_regression", "Degradation"],
    ["fast_check", "Degradation"],
    ["integral_comparison", "Degradation"],
  ])("%s says %s", (method, result) => {
    const { stdout } = place.run(["check", "profiles", "a.perf", "b.perf", "--method", method, "--format", "json"]);
    expect((JSON.parse(stdout) as { changes: unknown }).changes).toMatchObject([
      { location: "swap", result, from: "linear", to: "linear", method },
    ]);
  });

  it("are the only ones for which models can be chosen", () => {
    const ended = place.run([
      "check",
      "profiles",
      "a.perf",
      "b.perf",
      "--method",
      "fast",
      "--models-type",
      "all-models",
    ]);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain("no-models-compared");
  });
});
