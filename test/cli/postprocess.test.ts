import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { Playground } from "./program.ts";

let place: Playground;

/** A repository with one profile of a quadratic function. */
beforeEach(() => {
  place = new Playground();
  place.commit("first");
  place.ok("init");
  const sizes = Array.from({ length: 30 }, (_, i) => i + 1);
  const profile = {
    header: { type: "mixed", cmd: "./sort", workload: "big", units: { mixed: "us" } },
    collector_info: { name: "complexity", params: {} },
    postprocessors: [],
    resources: { "swap#0": { amount: sizes.map((n) => 5 * n * n), "structure-unit-size": sizes } },
    resource_type_map: { "swap#0": { uid: "swap", type: "mixed" } },
    models: [],
  };
  place.write("sort.perf", JSON.stringify(profile));
});

interface Models {
  readonly models: readonly { readonly uid: string; readonly model: string; readonly r_square: number }[];
}

it("prints models and keeps nothing with --format json, with Perun's words", () => {
  const { models } = place.json(
    "postprocessby",
    "sort.perf",
    "regression-analysis",
    "-m",
    "full",
    "-r",
    "quadratic",
    "-dp",
    "structure-unit-size",
    "-o",
    "amount",
  ) as Models;
  expect(models).toMatchObject([{ uid: "swap", model: "quadratic" }]);
  expect(place.json("status")).toMatchObject({ pending: [] });
});

it("keeps the new profile as pending; steps follow each other and are recorded", () => {
  place.ok(
    "postprocessby",
    "sort.perf",
    "regression_analysis",
    "--regression-models",
    "linear",
    "--regression-models",
    "power",
  );
  place.ok("postprocess", "-ot", "%postprocessors%-of-%cmd%", "0@p", "regressogram", "-bn", "3");
  const { pending } = place.json("status") as { pending: { name: string; postprocessors: string[] }[] };
  const chains = pending.map((profile) => profile.postprocessors).toSorted((a, b) => a.length - b.length);
  expect(chains).toEqual([["regression_analysis"], ["regression_analysis", "regressogram"]]);
  const last = pending.find(({ name }) => name.startsWith("after-regression_analysis-and-regressogram-of-[sort]"));
  const kept = JSON.parse(readFileSync(`${place.folder}/.perun/jobs/${last?.name}`, "utf8")) as Models & {
    origin: string;
    postprocessors: object[];
  };
  expect(kept.models.map(({ model }) => model)).toEqual(["linear", "power", "regressogram"]);
  expect(kept.origin).toBe(place.git("rev-parse", "HEAD"));
  expect(kept.postprocessors[0]).toMatchObject({ params: { regression_models: ["linear", "power"], method: "full" } });
});

it.each([
  [["sort.perf", "regresion"], 2, "regresion"],
  [["sort.perf", "regressogram", "-bn", "many"], 2, "bucket-number"],
  [["sort.perf", "regressogram", "-per", "size"], 2, "size"],
  [["no-such.perf", "regressogram"], 5, "no-such.perf"],
  [["sort.perf"], 2, "sort.perf"],
])("refuses %j", (words, status, named) => {
  const ended = place.run(["postprocessby", ...words]);
  expect([ended.status, ended.stderr.trim().split("\n").length], ended.stderr).toEqual([status, 1]);
  expect(ended.stderr).toContain(named);
});

it("tells of each unit its options", () => {
  expect(place.ok("postprocessby", "regressogram", "--help")).toContain("--bucket-method");
  expect(place.ok("postprocessby", "--help")).toContain("regression-analysis");
});

it("models several parameters with --per n,p and evaluates the model", () => {
  const points = [16, 32, 64, 128, 256].flatMap((n) => [2, 4, 8, 16, 32].map((p) => [n, p] as const));
  const profile = {
    header: { type: "time", cmd: "./solve", workload: "", units: { time: "s" } },
    collector_info: { name: "time", params: {} },
    postprocessors: [],
    resources: {
      "solve#0": {
        amount: points.map(([n, p]) => 5 + 2 * n * p),
        n: points.map(([n]) => n),
        p: points.map(([, p]) => p),
      },
    },
    resource_type_map: { "solve#0": { uid: "solve", type: "time" } },
    models: [],
  };
  place.write("solve.perf", JSON.stringify(profile));
  const words = ["postprocessby", "solve.perf", "regression-analysis", "--per", "n,p"];
  const lines = place.ok(...words, "--predict", "n=1024,p=64").split("\n");
  expect(lines.slice(1, 5)).toEqual([
    "  solve: 5 + 2 * n * p, r² 1.0000, cross-validated error 0 % (25 points)",
    expect.stringMatching(/^ {4}1: 5 \[/),
    expect.stringMatching(/^ {4}n \* p: 2 \[/),
    expect.stringMatching(/^ {4}at n=1024, p=64: 131100 \[.*\], extrapolated$/),
  ]);
  expect(place.json(...words)).toMatchObject({ models: [{ model: "normal_form", formula: "5 + 2 * n * p" }] });
});
