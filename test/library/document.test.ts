import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { follow } from "../cli/followed-document.ts";

/* Tests of the built library, lib/: `npm test -- package` builds it and runs them. */

function withPackage(folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules/perfkeep"));
}

test("the examples of docs/library.md work and compile", () => {
  const folder = follow("docs/library.md", { prepare: withPackage });
  const compiler = resolve("node_modules/typescript-native/bin/tsc");
  const options = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noEmit",
    "--module",
    "nodenext",
    "--target",
    "es2023",
  ];
  const types = ["--skipLibCheck", "false", "--types", "node", "--typeRoots", resolve("node_modules/@types")];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...types, "consumer.ts"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([0, ""]);
});

test("the library exports exactly these names", async () => {
  const library = (await import(resolve("lib/index.js"))) as Record<string, unknown>;
  expect(Object.keys(library).sort()).toMatchInlineSnapshot(`
    [
      "Failure",
      "JsonNumber",
      "Project",
      "Workspace",
      "add",
      "catObject",
      "checkAll",
      "checkHead",
      "checkProfiles",
      "checkSeries",
      "columnNamed",
      "compare",
      "convertProfile",
      "convertStacks",
      "decodeIndex",
      "decodeObject",
      "decodeProfile",
      "diff",
      "encodeIndex",
      "encodeObject",
      "encodeProfile",
      "hashObject",
      "importFiles",
      "importProfile",
      "importReports",
      "init",
      "initProject",
      "isFailure",
      "jsonObject",
      "log",
      "normaliseProfile",
      "openProject",
      "plot",
      "pointsByUid",
      "profileOf",
      "query",
      "records",
      "remove",
      "render",
      "rowsOf",
      "settingsOf",
      "show",
      "status",
      "valueAt",
    ]
  `);
  const project = library["Project"] as { readonly prototype: object };
  expect(Object.getOwnPropertyNames(project.prototype).sort()).toMatchInlineSnapshot(`
    [
      "add",
      "check",
      "checkSeries",
      "constructor",
      "convert",
      "createExperiment",
      "detect",
      "experiments",
      "history",
      "importFiles",
      "importProfile",
      "importReports",
      "keep",
      "measure",
      "plot",
      "postprocess",
      "query",
      "read",
      "render",
      "show",
      "status",
    ]
  `);
});
