import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { Value } from "../../src/core/values/value.ts";
import { decodeProfile } from "../../src/formats/profile/profile.ts";
import { builtins } from "../../src/plugins/builtin.ts";
import type { RenderOptions } from "../../src/plugins/renderers/renderer.ts";
import { svg } from "../../src/plugins/renderers/svg.ts";
import { openRegistry } from "../../src/workspace/plugins/registry.ts";
import { sameAsBefore } from "./same-as-before.ts";

/* Compares every view that draws a picture, for recorded profiles in test/samples/views, with docs/gallery. */

const picture: RenderOptions = { width: 960, height: 560, color: false, dark: false, unicode: true };

const pictures: readonly (readonly [
  file: string,
  profile: string,
  view: string,
  options: Readonly<Record<string, Value>>,
])[] = [
  ["view-bars", "index-memory", "bars", { per: "uid:function", by: "subtype" }],
  [
    "view-bars-grouped",
    "index-memory",
    "bars",
    { func: "count", per: "snapshot", by: "subtype", stacked: false, where: "snapshot>=19" },
  ],
  ["view-flow", "index-memory", "flow", { by: "uid:function" }],
  ["view-scatter", "sorting-complexity", "scatter", { where: "uid~sort" }],
  ["view-heapmap", "index-memory", "heapmap", {}],
  ["view-heatmap", "index-memory", "heatmap", {}],
  ["view-alloclist", "index-memory", "alloclist", { mode: "sum" }],
  [
    "view-tableof",
    "sorting-complexity",
    "tableof",
    { of: "models", headers: "uid\nmodel\nr_square", "sort-by": "uid\n-r_square" },
  ],
];

it.each(pictures)("docs/gallery/%s.svg matches its view", async (file, profile, view, options) => {
  const run = decodeProfile(readFileSync(resolve(`test/samples/views/${profile}.perf`)), profile);
  const figure = (await openRegistry(builtins).get("view", view)).draw(run, new Map(Object.entries(options)));
  const path = resolve(`docs/gallery/${file}.svg`);
  expect(
    sameAsBefore(path, String(await svg.render(figure, picture, new Map()))),
    `${file} changed: compare it with ${path}`,
  ).toBe(true);
});
