import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Collector } from "../../src/plugins/collectors/collector.ts";
import type { Importer } from "../../src/plugins/importers/importer.ts";
import type { Renderer } from "../../src/plugins/renderers/renderer.ts";
import type { View } from "../../src/plugins/views/view.ts";
import { checkPlugin } from "../../src/workspace/plugins/plugin-shape.ts";
import { pluginKit } from "../../src/workspace/plugins/plugin-kit.ts";
import { collectorContract } from "../contracts/collector.ts";
import { rendererContract } from "../contracts/renderer.ts";
import { readSample, reportImporterContract } from "../contracts/report-importer.ts";
import { sampleRun, viewContract } from "../contracts/view.ts";
import { fakeShell } from "../fakes/shell.ts";

async function example<P>(name: string): Promise<P> {
  const module = (await import(resolve(`examples/plugins/${name}.mjs`))) as { plugin(kit: typeof pluginKit): P };
  return module.plugin(pluginKit);
}

const importer = await example<Importer>("lap-times");
const collector = await example<Collector>("peak-memory");
const view = await example<View>("timeline");
const renderer = await example<Renderer>("asciidoc");
const sample = "examples/plugins/lap-times.txt";

reportImporterContract(importer, [sample]);
collectorContract(collector, { cmd: "sleep 0.25", failing: "exit 3", shell: () => fakeShell() });
viewContract(view, { "as it comes": new Map(), "on a log axis": new Map([["scale", "log"]]) });
rendererContract(renderer);

test("the examples are plug-ins, and read what their sample says", async () => {
  expect([importer, collector, view, renderer].map(checkPlugin)).toEqual([null, null, null, null]);
  const [run] = await readSample(importer, sample);
  expect(run?.rows).toEqual([
    { benchmark: "sort", n: 1000, order: "random", sample: 1, time: 0.0125 },
    { benchmark: "sort", n: 1000, order: "random", sample: 2, time: 0.0129 },
    { benchmark: "sort", n: 1000, order: "sorted", sample: 1, time: 0.0031 },
    { benchmark: "read", sample: 1, time: 0.00004 },
  ]);
});

test("what the view draws, the renderer writes, and no cell ends early", async () => {
  const paper = { width: 80, height: 24, color: false, dark: false, unicode: true };
  const lines = String(await renderer.render(view.draw(sampleRun(2), new Map()), paper, new Map())).split("\n");
  expect(lines.slice(0, 6)).toEqual([
    "= timeline",
    "",
    '[cols="<1,>1,>1",options="header"]',
    "|===",
    "|series |row |amount",
    "|main&#58;3 |1 |100",
  ]);
  const table = { kind: "table" as const, head: [{ label: "a", align: "left" as const }], rows: [["x|y\n|==="]] };
  expect(await renderer.render({ title: "", blocks: [table] }, paper, new Map())).toContain(
    "\n|x&#124;y&#94;J&#124;===\n",
  );
});
