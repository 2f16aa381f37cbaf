import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Collector } from "../../src/plugins/collectors/collector.ts";
import type { Importer } from "../../src/plugins/importers/importer.ts";
import { misshapenPlugin } from "../../src/workspace/plugin-shape.ts";
import { pluginKit } from "../../src/workspace/plugin-kit.ts";
import { collectorContract } from "../contracts/collector.ts";
import { readSample, reportImporterContract } from "../contracts/report-importer.ts";
import { fakeShell } from "../fakes/shell.ts";

async function example<P>(name: string): Promise<P> {
  const module = (await import(resolve(`examples/plugins/${name}.mjs`))) as { plugin(kit: typeof pluginKit): P };
  return module.plugin(pluginKit);
}

const importer = await example<Importer>("lap-times");
const collector = await example<Collector>("peak-memory");
const sample = "examples/plugins/lap-times.txt";

reportImporterContract(importer, [sample]);
collectorContract(collector, { cmd: "sleep 0.25", failing: "exit 3", shell: () => fakeShell() });

test("the examples are plug-ins, and read what their sample says", async () => {
  expect([importer, collector].map(misshapenPlugin)).toEqual([null, null]);
  const [run] = await readSample(importer, sample);
  expect(run?.rows).toEqual([
    { benchmark: "sort", n: 1000, order: "random", sample: 1, time: 0.0125 },
    { benchmark: "sort", n: 1000, order: "random", sample: 2, time: 0.0129 },
    { benchmark: "sort", n: 1000, order: "sorted", sample: 1, time: 0.0031 },
    { benchmark: "read", sample: 1, time: 0.00004 },
  ]);
});
