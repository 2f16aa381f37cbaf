import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { VersionId } from "../../src/core/versions/digest.ts";
import { encodeObject, packObject } from "../../src/formats/store/object.ts";
import { normaliseProfile } from "../../src/formats/profile/profile.ts";
import { encodeIndex, type IndexEntry } from "../../src/formats/store/version-index.ts";
import { seededRandom } from "../../src/math/sampling/seeded-random.ts";
import { git } from "../planted-repository.ts";

/** A history in which every commit was measured. */
export interface ProfilePlan {
  readonly commits: number;
  /** Profiles of each commit, each with its own workload. */
  readonly profiles: number;
  /** Rows of each profile, one per function. */
  readonly rows: number;
  readonly seed: number;
}

/**
 * Creates the repository and fills the store of the instance created by `init` with the same bytes as `add`. It does
 * not sync, so 100,000 profiles take seconds. Returns the commits, oldest first.
 */
export function makeProfileWorld(folder: string, plan: ProfilePlan, init: () => void): VersionId[] {
  const commits = makeHistory(folder, plan.commits);
  init();
  const objects = join(folder, ".perun", "objects");
  makeObjectFolders(folder);
  const random = seededRandom(plan.seed);
  for (const [at, commit] of commits.entries()) {
    const entries = Array.from({ length: plan.profiles }, (_, each) => {
      const text = profileText(commit, `load-${each}`, plan.rows, random);
      return stored(objects, `load-${each}.perf`, text, 1_700_000_000 + at * 60);
    });
    writeFileSync(pathOf(objects, commit), encodeIndex(entries, { trailer: true }));
  }
  return commits;
}

/** Creates all 256 object folders, as in a large store. */
export function makeObjectFolders(folder: string): void {
  const names = Array.from({ length: 256 }, (_, shard) => shard.toString(16).padStart(2, "0"));
  for (const name of names) mkdirSync(join(folder, ".perun", "objects", name), { recursive: true });
}

function stored(objects: string, name: string, text: string, time: number): IndexEntry {
  const { type, cmd, workload, collector, postprocessors, body } = normaliseProfile(
    new TextEncoder().encode(text),
    name,
  );
  const { plain, digest } = encodeObject("profile", type, body);
  writeFileSync(pathOf(objects, digest), packObject(plain));
  return { name, time, digest, type, cmd, workload, collector, postprocessors };
}

function pathOf(objects: string, id: string): string {
  return join(objects, id.slice(0, 2), id.slice(2));
}

/** Times of functions with two percent of noise. Functions of small numbers take longest. */
export function profileText(origin: string, workload: string, rows: number, random: () => number): string {
  const resources = Array.from({ length: rows }, (_, at) => {
    const amount = (1 + 0.02 * random()) / (1 + at);
    return { amount: Number(amount.toFixed(6)), subtype: "real", type: "time", uid: `function_${at}` };
  });
  return JSON.stringify({
    origin,
    header: { type: "time", cmd: "./tool", workload, units: { time: "s" } },
    collector_info: { name: "time", params: { warmup: 1, repeat: 3 } },
    postprocessors: [],
    global: { time: "0.0", resources },
  });
}

/** Writes a new profile with unique data. Returns its path. */
export function newProfile(folder: string, origin: string, rows: number, number: number): string {
  const path = join(folder, "new.perf");
  mkdirSync(dirname(path), { recursive: true });
  const workload = createHash("sha1").update(String(number)).digest("hex");
  writeFileSync(path, profileText(origin, workload, rows, seededRandom(number)));
  return path;
}

function makeHistory(folder: string, count: number): VersionId[] {
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "-q", "-b", "main"]);
  git(folder, ["fast-import", "--quiet"], Array.from({ length: count }, (_, at) => commitText(at + 1)).join("\n"));
  git(folder, ["reset", "-q", "--hard"]);
  return git(folder, ["rev-list", "--reverse", "HEAD"]).trim().split("\n") as VersionId[];
}

function commitText(at: number): string {
  const message = `Change number ${at}\n\nWhat it does, in a sentence or two, as people write.\n`;
  const when = `Ada <ada@example.org> ${1_700_000_000 + at * 60} +0000`;
  const file = `M 100644 inline file\ndata ${String(at).length}\n${at}\n`;
  return `commit refs/heads/main\nauthor ${when}\ncommitter ${when}\ndata ${message.length}\n${message}${file}`;
}
