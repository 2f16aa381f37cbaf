import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Rule, file, and code that breaks it there. */
const violations: readonly (readonly [rule: string, file: string, code: string])[] = [
  ["perfkeep(no-hidden-input)", "src/core/clock.ts", "export const now = Date.now();"],
  ["perfkeep(no-hidden-input)", "src/commands/date.ts", "export const now = new Date();"],
  ["perfkeep(no-hidden-input)", "src/math/chance.ts", "export const chance = Math.random();"],
  ["perfkeep(no-hidden-input)", "src/store/environment.ts", "export const home = process.env['HOME'];"],
  ["perfkeep(no-hidden-input)", "src/plugins/vcs/end.ts", "process.exit(1);"],
  ["perfkeep(no-exit)", "src/workspace/end.ts", "process.exit(1);"],
  [
    "perfkeep(no-shell)",
    "src/workspace/processes/shell.ts",
    'import { spawn } from "node:child_process"; spawn("ls", { shell: true });',
  ],
  ["perfkeep(no-shell)", "src/workspace/exec.ts", 'import { exec } from "node:child_process"; exec("ls");'],
  ["eslint(no-console)", "src/commands/print.ts", 'console.log("x");'],
  ["eslint(no-eval)", "src/query/eval.ts", 'export const two = eval("1 + 1");'],
  ["import(no-default-export)", "src/core/default.ts", "export default 1;"],
  ["perfkeep(no-reexport)", "src/formats/barrel.ts", 'export * from "./a.ts";'],
  ["perfkeep(no-reexport)", "src/formats/door.ts", 'export { a } from "./a.ts";'],
];

/** File, and code that must pass there. */
const allowed: readonly (readonly [file: string, code: string])[] = [
  ["src/workspace/clock.ts", "export const now = Date.now();"],
  ["src/index.ts", 'export { a } from "./core/a.ts";'],
  ["src/core/date.ts", "export const day = (seconds: number): Date => new Date(seconds * 1000);"],
  ["src/workspace/run.ts", 'import { spawn } from "node:child_process"; spawn("ls", { shell: false });'],
];

let scratch = "";
let output = "";

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "perfkeep-lint-"));
  symlinkSync(resolve("node_modules"), join(scratch, "node_modules"));
  for (const path of [".oxlintrc.json", "scripts/lint-rules.mjs"])
    cpSync(resolve(path), join(scratch, path), { recursive: true });
  for (const [file, code] of [...violations.map(([, ...rest]) => rest), ...allowed]) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    writeFileSync(join(scratch, file), `${code}\n`);
  }
  const linter = resolve("node_modules/oxlint/bin/oxlint");
  output = spawnSync(process.execPath, [linter, "--format", "unix", "src"], { cwd: scratch, encoding: "utf8" }).stdout;
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.each(violations)("%s is broken by %s", (rule, file) => {
  const lines = output.split("\n").filter((line) => line.includes(file));
  expect(lines.join("\n")).toContain(rule);
});

test.each(allowed)("%s passes", (file) => {
  expect(output).not.toContain(`${file}:`);
});
