/**
 * Works in worktrees like a run of perfkeep, to be killed by worktrees.mjs: `run REPOSITORY TREES` visits every commit,
 * `recover REPOSITORY TREES` cleans up after a killed run and prints the result.
 */
import { join } from "node:path";
import { isFailure } from "../../src/core/failures/failure.ts";
import { git } from "../../src/plugins/vcs/git.ts";
import { openShell } from "../../src/workspace/processes/shell.ts";
import { recoverRuns, runPaths, withVersion } from "../../src/workspace/processes/worktrees.ts";

const [verb, repository = "", trees = ""] = process.argv.slice(2);
const environment = { ...process.env, TMPDIR: trees };
const paths = runPaths(join(repository, ".perun"), environment);

/** Leaves a process behind that outlives its group leader, as some benchmarks do. */
const benchmark = ["sh", "-c", "echo built > out.o; echo changed > tracked-0; (sleep 30; true) & sleep 0.05"];

async function main(): Promise<void> {
  const vcs = await git.open(repository, environment);
  if (verb === "recover") {
    process.stdout.write(JSON.stringify(await recoverRuns(paths, vcs)));
    return;
  }
  // Without a launcher, only the journal can stop the children of a killed driver.
  const shell = openShell({ environment, cacheFolder: trees, launcher: { clock: "none", prefix: [] } });
  for await (const { id } of vcs.walk(await vcs.head())) {
    await withVersion(paths, vcs, id, async ({ path }) => shell.run(benchmark, { directory: path }));
  }
}

try {
  await main();
} catch (error) {
  if (!isFailure(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exit;
}
