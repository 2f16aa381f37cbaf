import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";

/** A house in small: a file per room, each importing what it may. */
const skeleton: Record<string, string> = {
  "src/index.ts": `export { add } from "./commands/add.ts";`,
  "src/cli/main.ts": `import "./front-end.ts"; import "../commands/add.ts"; import "../core/run.ts";`,
  "src/cli/front-end.ts": `import "./compat/seed.ts";`,
  "src/cli/compat/pb-programs.ts": `import "../../commands/add.ts";`,
  "src/commands/profiles/register.ts": `import "../workspace/workspace.ts"; import "../plugins/vcs/vcs.ts"; export const add = 1;`,
  "src/workspace/workspace.ts": `import "node:fs"; import "../plugins/builtin.ts"; import "../store/objects.ts";`,
  "src/store/objects/objects.ts": `import "node:fs"; import "../formats/store/object.ts"; import "../plugins/engines/engine.ts";`,
  "src/query/plan.ts": `import "../math/moments.ts"; import "../core/run.ts";`,
  "src/formats/store/object.ts": `import "node:crypto"; import "node:zlib"; import "../../core/run.ts";`,
  "src/formats/text/yaml.ts": `import "yaml";`,
  "src/formats/profile/profile.ts": `import "../../core/run.ts"; import "../text/yaml.ts";`,
  "src/math/descriptive/moments.ts": `export const mean = 1;`,
  "src/core/profiles/run.ts": `export interface Run { readonly name: string }`,
  "web/boot.ts": `import "./app.tsx";`,
  "web/app.tsx": `import "preact"; import "../src/core/run.ts";`,
  "web/charts.ts": `import "../src/plugins/renderers/drawing/theme.ts";`,
  "src/plugins/renderers/drawing/theme.ts": `import "../../../core/run.ts";`,
  "src/plugins/plugin.ts": `import "../core/run.ts";`,
  "src/plugins/builtin.ts": `import "./vcs/git.ts"; import "./checkers/step.ts"; import "./importers/csv.ts"; import "./views/raw.ts";`,
  "src/plugins/vcs/vcs.ts": `import "../plugin.ts";`,
  "src/plugins/vcs/git.ts": `import "node:child_process"; import "./vcs.ts"; import "./git-process.ts";`,
  "src/plugins/vcs/git-process.ts": `import "../../core/run.ts";`,
  "src/plugins/engines/engine.ts": `import "../plugin.ts";`,
  "src/plugins/checkers/checker.ts": `import "../plugin.ts";`,
  "src/plugins/checkers/step.ts": `import "./checker.ts"; import "../../math/moments.ts";`,
  "src/plugins/importers/interchange/csv.ts": `import "../../formats/profile/profile.ts";`,
  "src/plugins/views/raw.ts": `import "../../core/run.ts";`,
};

/** One planted file for each way to break a rule: rule, file, content. */
const violations: readonly (readonly [rule: string, file: string, content: string])[] = [
  [
    "core-is-a-leaf",
    "src/core/planted-format.ts",
    `import type { Run } from "../formats/profile/profile.ts"; export type R = Run;`,
  ],
  ["core-is-a-leaf", "src/core/planted-node.ts", `import "node:fs";`],
  ["math-is-a-leaf", "src/math/planted.ts", `import type { Run } from "../core/run.ts"; export type R = Run;`],
  ["formats-know-only-nouns", "src/formats/planted.ts", `import "../store/objects.ts";`],
  ["rooms-of-formats", "src/formats/text/planted.ts", `import "../profile/profile.ts";`],
  ["pure-plugins", "src/plugins/renderers/planted.ts", `import "../../formats/profile/profile.ts";`],
  ["views-read-profiles", "src/plugins/views/planted.ts", `import "../../formats/profile/profile.ts";`],
  ["importers-read-formats", "src/plugins/importers/planted.ts", `import "../../math/moments.ts";`],
  ["effect-plugins", "src/plugins/vcs/planted.ts", `import "../../store/objects.ts";`],
  ["query-is-pure", "src/query/planted.ts", `import "../formats/profile/profile.ts";`],
  ["store-below-workspace", "src/store/planted.ts", `import "../workspace/workspace.ts";`],
  ["workspace-composes", "src/workspace/planted.ts", `import "../commands/add.ts";`],
  ["commands-orchestrate", "src/commands/planted.ts", `import "../plugins/vcs/git.ts";`],
  ["cli-is-thin", "src/cli/planted.ts", `import "../store/objects.ts";`],
  ["compat-is-a-front-end", "src/cli/planted-compat.ts", `import "./compat/seed.ts";`],
  ["nothing-imports-cli", "src/commands/planted-cli.ts", `import "../cli/main.ts";`],
  ["plugins-are-strangers", "src/plugins/vcs/planted-stranger.ts", `import "./git.ts";`],
  ["plugins-are-strangers", "src/plugins/checkers/planted.ts", `import "../views/raw.ts";`],
  ["one-list-of-builtins", "src/workspace/planted-list.ts", `import "../plugins/vcs/git.ts";`],
  ["pages-show-what-they-are-told", "web/planted-store.ts", `import "../src/store/objects.ts";`],
  ["pages-show-what-they-are-told", "web/planted-drawing.tsx", `import "../src/plugins/renderers/drawing/theme.ts";`],
  ["nothing-imports-pages", "src/cli/planted-pages.ts", `import "../../web/boot.ts";`],
  ["one-home-per-dependency", "web/planted-yaml.tsx", `import "yaml";`],
  ["library-entry-is-last", "src/commands/planted-entry.ts", `import "../index.ts";`],
  ["no-node-in-pure-code", "src/query/planted-node.ts", `import "node:path";`],
  ["no-node-in-pure-code", "src/formats/planted-node.ts", `import "node:crypto";`],
  ["no-node-in-pure-code", "src/plugins/importers/planted-node.ts", `import "node:fs";`],
  ["commands-have-no-node", "src/commands/planted-node.ts", `import "node:fs";`],
  ["one-home-per-dependency", "src/workspace/planted-yaml.ts", `import "yaml";`],
  ["one-home-per-dependency", "src/cli/planted-unknown.ts", `import "esbuild";`],
  ["source-knows-no-tests", "src/core/planted-test.ts", `import "../../test/fakes/shell.ts";`],
  ["every-import-resolves", "src/core/planted-nowhere.ts", `import "./nowhere.ts";`],
  ["no-cycles", "src/math/planted-cycle.ts", `import type { A } from "./planted-next.ts"; export type B = A;`],
  ["no-drawers", "src/math/planted-drawer.ts", `import "./utils/sum.ts";`],
];

const supports: Record<string, string> = {
  "test/fakes/shell.ts": "export const shell = 1;",
  "src/math/planted-next.ts": `import "./planted-cycle.ts"; export type A = 1;`,
  "src/math/utils/sum.ts": "export const sum = 1;",
};

let scratch = "";
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function house(files: Record<string, string>): string {
  scratch = mkdtempSync(join(tmpdir(), "perfkeep-layers-"));
  symlinkSync(resolve("node_modules"), join(scratch, "node_modules"));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    writeFileSync(join(scratch, file), content);
  }
  return scratch;
}

function check(directory: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("scripts/layers.mjs"), directory], {
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

test("a house in order passes", () => {
  const { status, output } = check(house(skeleton));
  expect(output).toBe(`${Object.keys(skeleton).length} modules, 0 violations\n`);
  expect(status).toBe(0);
});

test("every planted violation is reported under its rule", () => {
  const planted = Object.fromEntries(violations.map(([, file, content]) => [file, content]));
  const { status, output } = check(house({ ...skeleton, ...supports, ...planted }));
  expect(status).toBe(1);
  expect(violations.filter(([rule, file]) => !output.includes(`${rule}: ${file} ->`))).toEqual([]);
});

test("every rule is proven by a planted violation", async () => {
  const { default: rules } = (await import(resolve(".dependency-cruiser.mjs"))) as {
    default: { forbidden: { name: string }[] };
  };
  const names = new Set(rules.forbidden.map((rule) => rule.name));
  expect(names).toEqual(new Set(violations.map(([rule]) => rule)));
});

test("a check that sees no module fails", () => {
  const { status, output } = check(house({ "src/readme.txt": "no code here" }));
  expect(output).toBe("0 modules, 0 violations\n");
  expect(status).toBe(1);
});
