import { describe, expect, it } from "vitest";
import { profileOfSamples } from "../../../test/contracts/arbitrary-stacks.ts";
import { sampleRun, viewContract } from "../../../test/contracts/view.ts";
import type { FlameBlock } from "../../core/figures/figure.ts";
import { pathOf } from "../../core/figures/flame-graph.ts";
import type { Values } from "../../core/values/value.ts";
import { decodeProfile, encodeProfile } from "../../formats/profile/profile.ts";
import { stackRun } from "../../formats/stacks/stack-rows.ts";
import { flameGraphView } from "./flame-graph.ts";

const of = (options: Readonly<Record<string, string | number | boolean>>): Values => new Map(Object.entries(options));

viewContract(flameGraphView, {
  plain: new Map(),
  inverted: of({ inverted: true, merged: true }),
  "one frame": of({ focus: "swap", colors: "module", grows: "up", width: 300, height: 12, "min-width": 0.5 }),
});

const types = [
  { name: "samples", unit: "count" },
  { name: "cpu", unit: "nanoseconds" },
];
const samples = [
  { calls: ["main", "f"], values: [1, 10] },
  { calls: ["main", "g", "f"], values: [2, 30] },
].map(({ calls, values }) => ({ calls: calls.map((name) => ({ function: name })), values, labels: [] }));
const profile = profileOfSamples(samples, types, 1);

function paths(block: FlameBlock): string[] {
  const { graph } = block;
  return [...graph.name.keys()].slice(1).map((frame) => `${pathOf(graph, frame).join(";")} ${graph.total[frame]}`);
}

function drawn(options: Readonly<Record<string, string | number | boolean>>): FlameBlock {
  return flameGraphView.drawStacks!(profile, of(options)).blocks[0] as FlameBlock;
}

describe("flamegraph", () => {
  it("draws a stored profile like the file it was imported from", () => {
    const stored = decodeProfile(encodeProfile(stackRun(profile, "pprof", "/"), "pending"));
    for (const options of [{}, { of: "samples" }, { inverted: true }, { focus: "g" }])
      expect(paths(flameGraphView.draw(stored, of(options)).blocks[0] as FlameBlock)).toEqual(paths(drawn(options)));
    expect(paths(drawn({}))).toEqual(["main 40", "main;f 10", "main;g 30", "main;g;f 30"]);
    expect(paths(drawn({ of: "samples/count" }))).toEqual(["main 3", "main;f 1", "main;g 2", "main;g;f 2"]);
  });

  it("uses the command as title by default", () => {
    expect(flameGraphView.draw(sampleRun(), of({})).title).toBe("./sort big.txt");
    expect(flameGraphView.draw(sampleRun(), of({ title: "T" })).title).toBe("T");
  });

  it.each([
    [{ of: "heap" }, "unknown-value-type"],
    [{ focus: "unknown" }, "unknown-frame"],
    [{ height: 1 }, "bad-option"],
    [{ width: 1e9 }, "bad-option"],
    [{ "min-width": 2 }, "bad-option"],
  ])("refuses %j with %s", (options, code) => {
    expect(() => drawn(options as Record<string, string | number>)).toThrowError(expect.objectContaining({ code }));
  });
});
