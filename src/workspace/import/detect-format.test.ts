import { expect, test } from "vitest";
import type { Importer } from "../../plugins/importers/importer.ts";
import { csv } from "../../plugins/importers/interchange/csv.ts";
import { json } from "../../plugins/importers/interchange/json.ts";
import type { Registry } from "../plugins/index.ts";
import { detectReportImporter } from "./detect-format.ts";

const own: Importer = { ...json, name: "own", sniff: () => 0.5 };
const registry = {
  names: () => ["csv", "json"],
  get: async (_: string, name: string) => (name === "csv" ? csv : json),
  userPlugins: async () => [{ plugin: own }],
} as unknown as Registry;

test.each([
  ['[{"name": "a", "ops": 1.5}]', "own"],
  ["a,b\n1,2\n", "csv"],
])("an importer of the user takes precedence over any JSON, but no other format: %j", async (text, name) => {
  const { name: detected } = await detectReportImporter(registry, undefined, "f", new TextEncoder().encode(text));
  expect(detected).toBe(name);
});

const registryOfTables = { ...registry, userPlugins: async () => [] } as unknown as Registry;

test("a file of Apache Arrow is named, and what to write instead", async () => {
  const head = new TextEncoder().encode("ARROW1\0\0\xff");
  await expect(detectReportImporter(registryOfTables, undefined, "f.arrow", head)).rejects.toMatchObject({
    code: "format-not-imported",
    message: expect.stringContaining("Apache Arrow") as string,
  });
});
