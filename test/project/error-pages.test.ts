import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("docs/errors.md lists the catalogue as it is", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/error-pages.mjs", "--check"], {
    encoding: "utf8",
  });
  expect(stdout + stderr).toBe("");
  expect(status).toBe(0);
});
