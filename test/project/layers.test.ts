import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";

/** A small source tree in order: a file per room, each importing what it may. */
const skeleton: Record<string, string> = {
  "src/index.ts": `export { add } from "./commands/profiles/index.ts";`,
  "src/cli/main.ts": `import "./front-end.ts"; import "../commands/profiles/index.ts";
    import "../core/profiles/index.ts";`,
  "src/cli/front-end.ts": `import "./compat/pb-programs.ts"; void import("../commands/profiles/register.ts");`,
  "src/cli/compat/pb-programs.ts": `import "../../commands/profiles/index.ts";`,
  "src/commands/profiles/index.ts": `export { add } from "./register.ts";`,
  "src/commands/profiles/register.ts": `import "../../workspace/workspace.ts";
    import "../../plugins/vcs/vcs.ts"; export const add = 1;`,
  "src/workspace/workspace.ts": `import "node:fs"; import "../plugins/builtin.ts"; import "../store/objects/index.ts";`,
  "src/store/objects/index.ts": `export { objects } from "./objects.ts";`,
  "src/store/objects/objects.ts":
    `import "node:fs"; import "../../formats/store/index.ts"; import ` +
    `"../../plugins/engines/engine.ts"; export const objects = 1;`,
  "src/query/plan/index.ts": `export { plan } from "./plan.ts";`,
  "src/query/plan/plan.ts": `import "../../math/descriptive/index.ts"; import "../../core/profiles/index.ts";
    export const plan = 1;`,
  "src/formats/store/index.ts": `export { object } from "./object.ts";`,
  "src/formats/store/object.ts": `import "node:crypto"; import "node:zlib";
    import "../../core/profiles/index.ts"; export const object = 1;`,
  "src/formats/text/index.ts": `export { yaml } from "./yaml.ts";`,
  "src/formats/text/yaml.ts": `import "yaml"; export const yaml = 1;`,
  "src/formats/profile/index.ts": `export { profile } from "./profile.ts";`,
  "src/formats/profile/profile.ts": `import "../../core/profiles/index.ts"; import "../text/index.ts";
    export const profile = 1;`,
  "src/math/descriptive/index.ts": `export { mean } from "./moments.ts";`,
  "src/math/descriptive/moments.ts": `export const mean = 1;`,
  "src/core/profiles/index.ts": `export type { Run } from "./run.ts";`,
  "src/core/profiles/run.ts": `export interface Run { readonly name: string }`,
  "web/boot.ts": `import "./app.tsx";`,
  "web/app.tsx": `import "preact"; import "../src/core/profiles/index.ts";`,
  "web/charts.ts": `import "../src/plugins/renderers/drawing/theme.ts";`,
  "src/plugins/renderers/drawing/theme.ts": `import "../../../core/profiles/index.ts";`,
  "src/plugins/plugin.ts": `import "../core/profiles/index.ts";`,
  "src/plugins/builtin.ts":
    `import "./vcs/git.ts"; import "./checkers/step.ts"; import ` +
    `"./importers/interchange/csv.ts"; import "./views/raw.ts";`,
  "src/plugins/vcs/vcs.ts": `import "../plugin.ts";`,
  "src/plugins/vcs/git.ts": `import "node:child_process"; import "./vcs.ts"; import "./git-process.ts";`,
  "src/plugins/vcs/git-process.ts": `import "../../core/profiles/index.ts";`,
  "src/plugins/engines/engine.ts": `import "../plugin.ts";`,
  "src/plugins/checkers/checker.ts": `import "../plugin.ts";`,
  "src/plugins/checkers/step.ts": `import "./checker.ts"; import "../../math/descriptive/index.ts";`,
  "src/plugins/importers/interchange/csv.ts": `import "../../../formats/profile/index.ts";`,
  "src/plugins/views/raw.ts": `import "../../core/profiles/index.ts";`,
};

const profileFormat = "formats/profile/index.ts";

/** One planted file for each way to break a rule: rule, file, text. */
const violations: readonly (readonly [rule: string, file: string, text: string])[] = [
  ["core-is-a-leaf", "src/core/values/planted.ts", `import "../../${profileFormat}";`],
  ["core-is-a-leaf", "src/core/values/planted-node.ts", `import "node:fs";`],
  ["math-is-a-leaf", "src/math/descriptive/planted.ts", `import type {} from "../../core/profiles/index.ts";`],
  ["formats-know-only-nouns", "src/formats/text/planted-store.ts", `import "../../store/objects/index.ts";`],
  ["rooms-of-formats", "src/formats/text/planted.ts", `import "../profile/index.ts";`],
  ["pure-plugins", "src/plugins/renderers/planted.ts", `import "../../${profileFormat}";`],
  ["views-read-profiles", "src/plugins/views/planted.ts", `import "../../${profileFormat}";`],
  ["importers-read-formats", "src/plugins/importers/planted.ts", `import "../../math/descriptive/index.ts";`],
  ["effect-plugins", "src/plugins/vcs/planted.ts", `import "../../store/objects/index.ts";`],
  ["query-is-pure", "src/query/plan/planted.ts", `import "../../${profileFormat}";`],
  ["query-of-profiles-is-pure", "src/query/profile/planted.ts", `import "../../${profileFormat}";`],
  ["store-below-workspace", "src/store/objects/planted.ts", `import "../../workspace/workspace.ts";`],
  ["workspace-composes", "src/workspace/planted.ts", `import "../commands/profiles/index.ts";`],
  ["commands-orchestrate", "src/commands/profiles/planted.ts", `import "../../plugins/vcs/git.ts";`],
  ["cli-is-thin", "src/cli/planted.ts", `import "../store/objects/index.ts";`],
  ["compat-is-a-front-end", "src/cli/planted-compat.ts", `import "./compat/pb-programs.ts";`],
  ["nothing-imports-cli", "src/commands/profiles/planted-cli.ts", `import "../../cli/main.ts";`],
  ["rooms-have-faces", "src/query/plan/planted-face.ts", `import "../../math/descriptive/moments.ts";`],
  ["rooms-have-faces", "src/query/plan/planted-type.ts", `import type { Run } from "../../core/profiles/run.ts";`],
  ["rooms-have-faces", "src/cli/planted-face.ts", `import "../commands/profiles/register.ts";`],
  ["rooms-have-faces", "web/planted-face.ts", `import "../src/core/profiles/run.ts";`],
  ["plugins-are-strangers", "src/plugins/vcs/planted-stranger.ts", `import "./git.ts";`],
  ["plugins-are-strangers", "src/plugins/checkers/planted.ts", `import "../views/raw.ts";`],
  ["plugins-are-strangers", "src/plugins/importers/interchange/planted.ts", `import "./csv.ts";`],
  ["one-list-of-builtins", "src/workspace/planted-list.ts", `import "../plugins/vcs/git.ts";`],
  ["pages-ask-for-data", "web/planted-store.ts", `import "../src/store/objects/index.ts";`],
  ["pages-ask-for-data", "web/planted-drawing.tsx", `import "../src/plugins/renderers/drawing/theme.ts";`],
  ["nothing-imports-pages", "src/cli/planted-pages.ts", `import "../../web/boot.ts";`],
  ["one-home-per-dependency", "web/planted-yaml.tsx", `import "yaml";`],
  ["library-entry-is-last", "src/commands/profiles/planted-entry.ts", `import "../../index.ts";`],
  ["no-node-in-pure-code", "src/query/plan/planted-node.ts", `import "node:path";`],
  ["no-node-in-pure-code", "src/formats/text/planted-node.ts", `import "node:crypto";`],
  ["no-node-in-pure-code", "src/plugins/importers/planted-node.ts", `import "node:fs";`],
  ["commands-have-no-node", "src/commands/profiles/planted-node.ts", `import "node:fs";`],
  ["one-home-per-dependency", "src/workspace/planted-yaml.ts", `import "yaml";`],
  ["one-home-per-dependency", "src/cli/planted-unknown.ts", `import "esbuild";`],
  ["source-knows-no-tests", "src/core/values/planted-test.ts", `import "../../../test/fakes/shell.ts";`],
  ["every-import-resolves", "src/core/values/planted-nowhere.ts", `import "./nowhere.ts";`],
  [
    "no-cycles",
    "src/math/descriptive/planted-cycle.ts",
    `import type { A } from "./planted-next.ts"; export type B = A;`,
  ],
  ["no-drawers", "src/math/descriptive/planted-drawer.ts", `import "./utils/sum.ts";`],
];

const supports: Record<string, string> = {
  "test/fakes/shell.ts": "export const shell = 1;",
  "src/math/descriptive/planted-next.ts": `import "./planted-cycle.ts"; export type A = 1;`,
  "src/math/descriptive/utils/sum.ts": "export const sum = 1;",
};

let scratch = "";
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function plant(files: Record<string, string>): string {
  scratch = mkdtempSync(join(tmpdir(), "perfkeep-layers-"));
  symlinkSync(resolve("node_modules"), join(scratch, "node_modules"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    writeFileSync(join(scratch, file), text);
  }
  return scratch;
}

function check(directory: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("scripts/layers.mjs"), directory], {
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

test("a tree in order passes", () => {
  const { status, output } = check(plant(skeleton));
  expect(output).toBe(`${Object.keys(skeleton).length} modules, 0 violations\n`);
  expect(status).toBe(0);
});

test("every planted violation is reported under its rule", () => {
  const planted = Object.fromEntries(violations.map(([, file, text]) => [file, text]));
  const { status, output } = check(plant({ ...skeleton, ...supports, ...planted }));
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
  const { status, output } = check(plant({ "src/readme.txt": "no code here" }));
  expect(output).toBe("0 modules, 0 violations\n");
  expect(status).toBe(1);
});
