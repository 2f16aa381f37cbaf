// The stage `lint`: type-aware lint rules and the word list.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const linter = join(root, "node_modules/oxlint/bin/oxlint");

const statuses = [
  [linter, "--type-aware", "--quiet", ...process.argv.slice(2)],
  ["scripts/words.mjs", ...process.argv.slice(2)],
].map((command) => spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" }).status);
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
