/** What a share repository next to an instance holds, what a new instance receives from it, and what is sent later. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lookAt } from "./instance-facts.mjs";
import { createPlace, sharePath } from "./operations.mjs";

const ref = "refs/perfkeep/data/v1";

/** What new instances received, by the commit of the shared data. */
const received = new Map();

/**
 * What the share holds before and after another push, and what a new instance receives from it, by name. `complaints`:
 * missing or damaged objects, and commands that failed. Afterwards, the instance has pushed.
 */
export async function lookAtShare(commands, place) {
  const complaints = [];
  const git = (...words) => {
    const options = { cwd: join(place.directory, sharePath), env: place.environment, encoding: "utf8" };
    return spawnSync("git", words, options);
  };
  const verify = () => {
    const { status, stdout, stderr } = git("fsck", "--full");
    if (status !== 0) complaints.push(`git fsck: ${stdout}${stderr}`);
  };
  verify();
  const facts = { "the share": listing(git) };
  const commit = git("rev-parse", "--verify", "--quiet", ref).stdout;
  const known = received.get(commit) ?? (await receive(commands, place));
  if (known.complaints.length === 0) received.set(commit, known);
  const next = await commands.runCommand(["push", sharePath], place);
  if (next.status !== 0) complaints.push(`then push: ${next.stdout}${next.stderr}`);
  verify();
  facts["the share after another push"] = listing(git);
  return { facts: { ...known.facts, ...facts }, complaints: [...complaints, ...known.complaints] };
}

/** The paths of the shared data with their blobs. Elements of sets have random tags: only sizes of sets are equal. */
function listing(git) {
  const { status, stdout } = git("ls-tree", "-r", "-l", "--full-tree", ref);
  return status === 0 ? stdout.replaceAll(/\w{40}( +\d+\tsets\/)/g, "$1") : "nothing";
}

/** What a new instance holds after a pull. */
async function receive(commands, { directory, scratch }) {
  const folder = join(scratch, `received-${process.pid}`);
  mkdirSync(folder);
  cpSync(join(scratch, "template/.git"), join(folder, ".git"), { recursive: true });
  const place = createPlace(scratch, folder);
  const complaints = [];
  for (const words of [["init"], ["pull", join(directory, sharePath)]]) {
    const { status, stderr } = await commands.runCommand(words, place);
    if (status !== 0) complaints.push(`${words.join(" ")} of a new instance: ${stderr}`);
  }
  const look = await lookAt(commands, place);
  rmSync(folder, { recursive: true });
  const facts = Object.entries(look.facts).map(([name, value]) => [`${name}, received`, value]);
  return { facts: Object.fromEntries(facts), complaints: [...complaints, ...look.complaints] };
}
