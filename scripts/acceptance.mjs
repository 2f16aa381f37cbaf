// Runs the acceptance kit for Perun's formats, kept beside this repository, against the built program. Skipped where it is not at hand.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { prepare, root } from "./prepare.mjs";

const sections = "hash,read,bad";
/** Cases of a command that perfkeep does not have yet. */
const expectedToFail = (result) => result.section === "bad" && result.case.startsWith("postprocessby: ");

function kit() {
  const script = join(dirname(root), "shared/perun/check-perun.py");
  if (!existsSync(script)) return skip("no ../shared/perun/check-perun.py");
  if (spawnSync("python3", ["--version"]).status !== 0) return skip("no python3");
  return script;
}

function skip(reason) {
  console.log(`skipped: acceptance kit: ${reason}`);
  return null;
}

function run(script, folder) {
  const answers = join(folder, "results.json");
  const program = `${process.execPath} ${join(root, "dist/cli.js")}`;
  const args = [script, "--program", program, "--only", sections, "--json", answers];
  const { stdout, stderr } = spawnSync("python3", args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
  if (!existsSync(answers)) throw new Error(`the kit gave no results\n${stdout}${stderr}`);
  return JSON.parse(readFileSync(answers, "utf8"));
}

/** A case that fails is wrong; one that passes although it is expected to fail means that the expectation is out of date. */
function judge({ results }) {
  const wrong = results.filter((result) => !result.ok && !expectedToFail(result));
  const surprising = results.filter((result) => result.ok && expectedToFail(result));
  for (const { section, case: name, reason } of wrong) console.log(`FAIL ${section}: ${name}: ${reason}`);
  for (const { case: name } of surprising) console.log(`passes now, take it off the expected failures: ${name}`);
  const passed = results.filter((result) => result.ok).length;
  console.log(`${passed} passed, ${wrong.length} failed, ${results.length - passed - wrong.length} expected to fail`);
  return passed > 0 && wrong.length === 0 && surprising.length === 0;
}

prepare();
const script = kit();
if (script !== null) {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-acceptance-"));
  try {
    process.exitCode = judge(run(script, folder)) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
