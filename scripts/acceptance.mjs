// Runs the acceptance kits for Perun's formats, perfbase and importers, which are stored next to this repository,
// against the built program. A missing kit is skipped.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkPerfbase } from "./acceptance-perfbase.mjs";
import { prepare, root } from "./prepare.mjs";

const sections = "hash,read,checks,postprocess,bad";

/** The folder of a kit; null if it cannot be run. */
function kit(name, script) {
  const folder = join(dirname(root), "shared", name);
  if (!existsSync(join(folder, script))) return skip(`no ../shared/${name}/${script}`);
  if (spawnSync("python3", ["--version"]).status !== 0) return skip("no python3");
  return folder;
}

function skip(reason) {
  console.log(`skipped: acceptance kit: ${reason}`);
  return null;
}

function checkPerun(folder, scratch) {
  const answers = join(scratch, "results.json");
  const program = `${process.execPath} ${join(root, "dist/cli.js")}`;
  const args = [join(folder, "check-perun.py"), "--program", program, "--only", sections, "--json", answers];
  const { stdout, stderr } = spawnSync("python3", args, { cwd: scratch, encoding: "utf8", maxBuffer: 1 << 26 });
  if (!existsSync(answers)) throw new Error(`the kit wrote no results\n${stdout}${stderr}`);
  return judge(JSON.parse(readFileSync(answers, "utf8")));
}

function checkImporters(folder, scratch) {
  const answers = join(scratch, "importers.json");
  const program = `${process.execPath} ${join(root, "dist/cli.js")}`;
  const args = [join(folder, "check-importers.py"), "--optional", "--program", program, "--json", answers];
  const { stdout, stderr } = spawnSync("python3", args, { cwd: scratch, encoding: "utf8", maxBuffer: 1 << 26 });
  if (!existsSync(answers)) throw new Error(`the kit wrote no results\n${stdout}${stderr}`);
  const { passed, failed, checks } = JSON.parse(readFileSync(answers, "utf8"));
  const wrong = checks.filter((check) => !check.ok);
  return {
    lines: [
      ...wrong.map(({ id, check, reasons }) => `FAIL ${id} ${check}: ${reasons[0]}`),
      `importers: ${passed} passed, ${failed} failed`,
    ],
    passed: passed > 0 && failed === 0,
  };
}

function judge({ results }) {
  const wrong = results.filter((result) => !result.ok);
  return {
    lines: [
      ...wrong.map(({ section, case: name, reason }) => `FAIL ${section}: ${name}: ${reason}`),
      `Perun: ${results.length - wrong.length} passed, ${wrong.length} failed`,
    ],
    passed: results.length > 0 && wrong.length === 0,
  };
}

const kits = {
  perun: ["check-perun.py", checkPerun],
  perfbase: ["check-cases.py", checkPerfbase],
  importers: ["check-importers.py", checkImporters],
};

prepare();
let status = 0;
for (const [name, [script, check]] of Object.entries(kits)) {
  const folder = kit(name, script);
  if (folder === null) continue;
  const scratch = mkdtempSync(join(tmpdir(), "perfkeep-acceptance-"));
  try {
    const { lines, passed } = await check(folder, scratch);
    for (const line of lines) console.log(line);
    if (!passed) status = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
// Exit explicitly: otherwise the server setup resets the exit status to 0.
process.exit(status);
