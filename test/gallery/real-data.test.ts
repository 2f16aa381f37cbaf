import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createExperiment } from "../../src/commands/experiments/create-experiment.ts";
import { importFiles } from "../../src/commands/import/import.ts";
import { plot, plotDescription } from "../../src/commands/query/plot.ts";
import { builtins } from "../../src/plugins/builtin.ts";
import type { RenderOptions } from "../../src/plugins/renderers/renderer.ts";
import { svg } from "../../src/plugins/renderers/svg.ts";
import { openRegistry } from "../../src/workspace/plugins/registry.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { sameAsBefore } from "./same-as-before.ts";

/* Compares the plot of every description in docs/gallery, from recorded program output, with its picture. */

const gallery = resolve("docs/gallery");
const picture: RenderOptions = { width: 960, height: 560, color: false, dark: false, unicode: true };
const experiments = [
  { name: "openssl_speed", example: "openssl-speed/openssl-speed", samples: /^/, folder: "openssl-speed" },
  { name: "sysbench_memory", example: "sysbench/memory", samples: /^memory-/, folder: "sysbench" },
  { name: "fio", example: "fio/fio", samples: /^rand/, folder: "fio" },
];

const folder = mkdtempSync(join(tmpdir(), "perfkeep-gallery-"));
const workspace = new Workspace(
  {
    directory: folder,
    environment: {
      PERFKEEP_HOME: join(folder, "home"),
      USER: "ann",
      PATH: process.env["PATH"],
      HOME: folder,
      GIT_CEILING_DIRECTORIES: folder,
    },
    now: () => 1763717000000,
    random: () => 0.5,
    command: "test",
  },
  openRegistry(builtins),
);

beforeAll(async () => {
  for (const { name, example, samples, folder: from } of experiments) {
    await createExperiment(workspace, { file: resolve(`examples/${example}.exp`) });
    const names = readdirSync(resolve("test/samples", from)).filter(
      (file) => file.endsWith(".txt") && samples.test(file),
    );
    const files = names.sort().map((file) => resolve("test/samples", from, file));
    await importFiles(workspace, {
      experiment: name,
      inputs: [{ description: { file: resolve(`examples/${example}.inp`) }, files }],
    });
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = readdirSync(gallery).flatMap((file) => /^(.*)\.plot$/.exec(file)?.[1] ?? []);

it.each(names)("docs/gallery/%s.svg matches its description", async (name) => {
  const description = plotDescription(workspace, join(gallery, `${name}.plot`));
  const { figure } = await plot(workspace, { ...description, experiment: description.experiment ?? "" });
  expect(sameAsBefore(join(gallery, `${name}.svg`), String(await svg.render(figure, picture, new Map())))).toBe(true);
});

it("docs/gallery/README.md shows every picture with its description", () => {
  const page = readFileSync(join(gallery, "README.md"), "utf8");
  for (const name of names) {
    expect(page).toContain(`![${name}](${name}.svg)`);
    expect(page).toContain(readFileSync(join(gallery, `${name}.plot`), "utf8").trim());
  }
});
