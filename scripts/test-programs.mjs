// Installs the programs that some tests run, if this process may install Debian packages. Tests of a missing program
// are skipped with a message.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs by Debian package. */
const programs = {
  bpftrace: "bpftrace",
  chromium: "chromium",
  fish: "fish",
  groff: "groff",
  mercurial: "hg",
  heaptrack: "heaptrack",
  "linux-perf": "perf",
  valgrind: "valgrind",
  zsh: "zsh",
};

export function installTestPrograms() {
  const missing = Object.keys(programs).filter((name) => !isInstalled(programs[name]));
  if (missing.length === 0 || process.getuid?.() !== 0 || !isInstalled("apt-get")) return;
  process.stderr.write(`installing ${missing.join(", ")} for the tests\n`);
  const install = ["install", "--yes", "--no-install-recommends", "--quiet=2", ...missing];
  if (aptGet(install, 400_000) || (aptGet(["update", "--quiet=2"], 120_000) && aptGet(install, 400_000))) return;
  process.stderr.write(`not installed: ${missing.join(" ")}; their tests are skipped\n`);
}

function aptGet(words, timeout) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", words, { stdio: "ignore", timeout, env }).status === 0;
}

function isInstalled(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}
