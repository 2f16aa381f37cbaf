/**
 * The invariants of a store. Every function returns a list of violations, empty if there are none.
 */
import { rmSync } from "node:fs";
import { acknowledged, pendingTexts, profileText } from "./scene.mjs";

const stackTrace = /^\s+at .*[:(]\d+/m;

/** No stack trace, no exit status of an internal error, no hang. */
export function checkManners({ status, stderr, isStuck }) {
  const complaints = isStuck ? ["it did not end"] : [];
  if (stackTrace.test(stderr)) complaints.push(`stack trace: ${stderr.slice(0, 400)}`);
  if (status === 70) complaints.push(`exit status 70: ${stderr.slice(0, 400)}`);
  return complaints;
}

/** Statuses that the documentation names: fine, found, usage, inconclusive, bad input, nothing matched, host. */
const documented = new Set([0, 1, 2, 3, 4, 5, 74]);

/** A program that ends by itself ends with a documented status. */
export function checkStatus({ status, signal }) {
  return signal !== null || documented.has(status) ? [] : [`exit status ${status}`];
}

/** Nothing lost: reported profiles are registered and readable, all others registered or still pending. */
export async function checkNothingLost(scene, folder, names, stdout) {
  const store = scene.store(folder);
  const complaints = (await store.fsck()).problems.map((problem) => `fsck: ${problem.code} ${problem.message}`);
  const listed = new Map(entriesOf(scene, store, complaints).map((entry) => [entry.name, entry.digest]));
  const pending = pendingTexts(folder);
  const reported = acknowledged(stdout);
  for (const name of names) {
    const isKept = pending.get(name) === profileText(name, scene.version);
    const isStored = listed.has(name) && isReadable(store, listed.get(name), name);
    if (reported.has(name) && !(isStored && listed.get(name) === reported.get(name)))
      complaints.push(`${name} was reported as stored but is not`);
    if (!isStored && !isKept) complaints.push(`${name} is neither registered nor pending`);
  }
  return complaints;
}

/** Another `add` with one more profile succeeds without manual steps and leaves no temporary files. */
export async function checkRecovery(scene, folder, names) {
  const more = "zz-later.perf";
  scene.pend(folder, more);
  const again = await scene.add(folder, [...pendingTexts(folder).keys()]);
  const all = [...names, more];
  const complaints = [...checkManners(again), ...(await checkNothingLost(scene, folder, all, again.stdout))];
  if (again.status !== 0)
    complaints.push(`the second run failed: ${again.status} ${again.signal} ${again.stderr.slice(0, 300)}`);
  const store = scene.store(folder);
  const listed = entriesOf(scene, store, complaints).map((entry) => entry.name);
  if (listed.join() !== all.sort().join()) complaints.push(`after the second run the index holds ${listed.join(", ")}`);
  if (pendingTexts(folder).size > 0) complaints.push("after the second run profiles are still pending");
  const untidy = (await store.fsck()).notes.filter((note) =>
    ["leftover-file", "dead-lock", "lock-held"].includes(note.code),
  );
  for (const note of untidy) complaints.push(`after the second run: ${note.message}`);
  return complaints;
}

/** Runs the checks in turn until one fails; removes the folder if none does. */
export async function judge(folder, ...checks) {
  for (const check of checks) {
    const complaints = await check();
    if (complaints.length > 0) return [...complaints, `left for inspection: ${folder}`];
  }
  rmSync(folder, { recursive: true, force: true });
  return [];
}

function entriesOf(scene, store, complaints) {
  try {
    return store.versions.entries(scene.version);
  } catch (error) {
    complaints.push(`the index cannot be read: ${error.message}`);
    return [];
  }
}

function isReadable(store, digest, name) {
  try {
    return new TextDecoder().decode(store.objects.get(digest).body).includes(`"workload": "${name}"`);
  } catch {
    return false;
  }
}
