import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";

let scratch = "";

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** The rows that scripts/house.mjs prints for a checkout that holds `files`. */
function rowsFor(files: Readonly<Record<string, string>>, list = ""): string[] {
  scratch = mkdtempSync(join(tmpdir(), "perfkeep-house-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    writeFileSync(join(scratch, file), text);
  }
  spawnSync("git", ["init", "--quiet"], { cwd: scratch });
  const script = resolve("scripts/house.mjs");
  const { stdout } = spawnSync(process.execPath, [script, "--root", scratch, "--list", list], { encoding: "utf8" });
  return stdout.split("\n");
}

test("a small checkout without faults passes", () => {
  const rows = rowsFor({
    "README.md": "See [the pages](docs/README.md).\n",
    "docs/README.md": "`src/core/values/value.ts` holds values; `src/core/<room>/` is a pattern.\n",
    "src/core/values/value.ts": "export const value = 1;\n",
  });
  expect(rows.filter((row) => row.startsWith("FAIL"))).toEqual([]);
  expect(rows.filter((row) => row.startsWith("ok"))).toHaveLength(7);
});

const word = ["be", "side"].join("");

test.each([
  [
    "a word of the list in a comment",
    { "src/core/a.ts": `// Written ${word} the file.\n` },
    `src/core/a.ts:1: ${word}`,
  ],
  ["a word of the list within a name", { "src/core/a.ts": "export const toldNames = 1;\n" }, "src/core/a.ts:1: told"],
  ["a word of the list in a page", { "docs/a.md": `It lies ${word} it.\n` }, `docs/a.md:1: ${word}`],
  ["a long line", { "src/core/a.ts": `// ${"x".repeat(118)}\n` }, "src/core/a.ts:1"],
  ["a private member", { "src/core/a.ts": "export class A {\n  private b = 1;\n}\n" }, "src/core/a.ts:2"],
  ["a dead path in a page", { "docs/a.md": "See `src/core/b.ts`.\n" }, "docs/a.md:1: src/core/b.ts"],
  ["a dead link in a page", { "docs/a.md": "See [b](b.md).\n" }, "docs/a.md:1: docs/b.md"],
  [
    "a dead path in the layer rules",
    { ".dependency-cruiser.mjs": `const home = "^src/core/b[.]ts$";\n` },
    ".dependency-cruiser.mjs:1: src/core/b.ts",
  ],
])("%s fails", (_name, files, place) => {
  const rows = rowsFor(files);
  const at = rows.findIndex((row) => row.includes(place));
  expect(rows.slice(0, at).findLast((row) => /^(?:ok|FAIL)/.test(row))).toMatch(/^FAIL/);
});

test("a folder with too many files fails", () => {
  const files = Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`src/core/values/v${n}.ts`, "export {};\n"]));
  expect(rowsFor(files).find((row) => row.includes("largest folder"))).toMatch(/^FAIL +31 /);
});

test("importers are counted through faces, and a face is none", () => {
  const rows = rowsFor(
    {
      "src/core/values/index.ts": `export { one } from "./one.ts";\nexport { two } from "./two.ts";\n`,
      "src/core/values/one.ts": "export const one = 1;\n",
      "src/core/values/two.ts": "export const two = 2;\n",
      "src/math/a.ts": `import { one } from "../core/values/index.ts";\nexport const a = one;\n`,
      "src/math/b.ts": `import { one, two } from "../core/values/index.ts";\nexport const b = one + two;\n`,
    },
    "one-importer",
  );
  const from = rows.findIndex((row) => row.includes("exactly one importer"));
  expect(rows.slice(from, from + 2).map((row) => row.trim())).toEqual([
    expect.stringMatching(/^ok +1 /),
    "src/core/values/two.ts",
  ]);
});
