import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { Figure } from "../../src/core/figures/figure.ts";
import type { StackProfile } from "../../src/core/profiles/stack-profile.ts";
import { readCallgrind } from "../../src/formats/stacks/callgrind/callgrind-stacks.ts";
import { readFolded } from "../../src/formats/stacks/folded.ts";
import type { RenderOptions } from "../../src/plugins/renderers/renderer.ts";
import { svg } from "../../src/plugins/renderers/svg.ts";
import { flameGraphView } from "../../src/plugins/views/flame-graph.ts";
import { differenceBlocks } from "../../src/query/flame/difference-blocks.ts";
import { flameGraph } from "../../src/query/flame/flame-graph.ts";
import { inPieces } from "../contracts/arbitrary-stacks.ts";
import { sameAsBefore } from "./same-as-before.ts";

/* Compares flame graphs of recorded stacks (test/samples/flame-graph) with docs/gallery. */

const picture: RenderOptions = { width: 960, height: 560, color: false, dark: false, unicode: true };

function recorded(name: string): Promise<StackProfile> {
  return readFolded(inPieces(readFileSync(resolve("test/samples/flame-graph", `${name}.folded`)), 9), name);
}

/** The figure of `perfkeep show FILE flamegraph` with these options. */
async function shown(options: Readonly<Record<string, string | boolean | number>>): Promise<Figure> {
  return flameGraphView.drawStacks!(await recorded("strtod"), new Map(Object.entries(options)));
}

async function difference(): Promise<Figure> {
  const [base, target] = [flameGraph(await recorded("strtod"), {}), flameGraph(await recorded("whole-numbers"), {})];
  return {
    title: "A solver without strtod and printf",
    blocks: differenceBlocks(base, target, { widths: "base", minWidth: 0.002 }),
  };
}

const pictures: Readonly<Record<string, () => Promise<Figure>>> = {
  "flame-graph": () => shown({ title: "Where a solver spends its time", "min-width": 0.002 }),
  "flame-graph-inverted": () =>
    shown({ title: "What it does, and who asked for it", inverted: true, "min-width": 0.004, height: 16 }),
  "flame-graph-focus": () => shown({ title: "What printing costs", focus: "print_vector", merged: true, grows: "up" }),
  "flame-difference": difference,
};

it.each(Object.keys(pictures))("docs/gallery/%s.svg matches the recorded stacks", async (name) => {
  const drawn = String(await svg.render(await pictures[name]!(), picture, new Map()));
  expect(sameAsBefore(join(resolve("docs/gallery"), `${name}.svg`), drawn)).toBe(true);
  for (const page of ["docs/gallery/README.md", "docs/flame-graphs.md"])
    expect(readFileSync(page, "utf8")).toContain(`${name}.svg`);
});

it("the picture of a call graph says that its tree is estimated", async () => {
  const bytes = readFileSync(resolve("test/samples/profiles/callgrind.out"));
  const stacks = await readCallgrind(inPieces(bytes, 999), "callgrind.out");
  const drawn = String(await svg.render(flameGraphView.drawStacks!(stacks, new Map()), picture, new Map()));
  expect(drawn).toContain("calls are estimated from a call graph");
  expect(drawn).toMatch(/<title>inner\n362400 Ir /);
});
