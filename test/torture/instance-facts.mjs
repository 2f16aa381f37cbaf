/** What data an instance holds, as commands read it. Its share repository: share-facts.mjs. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { environmentPath, outputs } from "./operations.mjs";

/** Files of the databases, among the paths relative to an instance, and the one that names its server. */
export const isOfDatabase = (path) => path === environmentPath || /^(?:\.perun\/experiments|other)\.duckdb/.test(path);

/** Runs commands that read; those that fail are `complaints`. */
function asker(runCommand, place, complaints) {
  return async (...words) => {
    const result = await runCommand(words, place);
    // An experiment without runs has nothing to export.
    if (result.status !== 0 && !result.stderr.includes("[nothing-selected]"))
      complaints.push(`${words.join(" ")}: ${result.stderr.trim()}`);
    return result.status === 0 ? result.stdout : "{}";
  };
}

/**
 * What data an instance holds, by name, as commands read it. `complaints`: those that failed. `parts`: "files" for the
 * configuration, profiles and statistics, "experiments", and "database", which of the experiments only reads a list,
 * which opens the database and lets the program recover it, and a fingerprint of the whole database; `isUnusual` if the
 * list reports something, or if they are on a server, whose fingerprint is not read.
 */
export async function lookAt({ runCommand, runAndFingerprint }, place, parts = ["files", "experiments"]) {
  const complaints = [];
  const facts = {};
  if (!existsSync(join(place.directory, ".perun"))) return { facts, complaints };
  const ask = asker(runCommand, place, complaints);
  if (parts.includes("files")) await lookAtFiles(facts, ask, place);
  const hasOther = existsSync(join(place.directory, "other.duckdb"));
  if (parts.includes("experiments"))
    for (const where of [[], ...(hasOther ? [["--db", "other.duckdb"]] : [])])
      await lookAtExperiments(facts, ask, join(place.scratch, `dump-${process.pid}`), where);
  if (!parts.includes("database")) return { facts, complaints };
  let isUnusual = place.environment.PERFKEEP_DB !== undefined;
  for (const [path, ...where] of [[".perun/experiments.duckdb"], ["other.duckdb", "--db", "other.duckdb"]]) {
    const database = join(place.directory, path);
    if (where.length > 0 && !existsSync(database)) continue;
    const words = ["experiment", "list", "--format", "json", ...where];
    const { status, stderr, fingerprint } = await runAndFingerprint(words, place);
    isUnusual ||= status !== 0 || stderr !== "";
    if (existsSync(database)) facts[`the database ${path}`] = fingerprint;
  }
  return { facts, complaints, isUnusual };
}

async function lookAtFiles(facts, ask, { directory }) {
  const digest = (...path) => digestOf(readFileSync(join(directory, ...path)));
  facts["the configuration"] = await ask("config", "get", "format.status");
  const { registered = [], pending = [] } = JSON.parse(await ask("status", "--format", "json"));
  for (const { name } of pending) facts[`profile ${name}`] = `pending: ${digest(".perun/jobs", name)}`;
  for (const { name, object } of registered) {
    facts[`profile ${name}`] = object;
    await ask("cat-object", object);
  }
  const { commits = [] } = JSON.parse(await ask("stats", "list-files", "--format", "json"));
  for (const { name, size } of commits.flatMap((commit) => commit.files)) facts[`statistics ${name}`] = String(size);
  for (const name of outputs.filter((each) => existsSync(join(directory, each)))) facts[`file ${name}`] = digest(name);
}

/** Equal for equal data: pages name the folder of the instance, and hold data that is compressed in any pieces. */
function digestOf(bytes) {
  const hash = createHash("sha1");
  const text = bytes.toString("latin1");
  if (!text.startsWith("<!doctype html>")) return hash.update(bytes).digest("hex");
  const data = /(?<=<script type="application\/octet-stream" id="[^"]*">)[^<]*/g;
  try {
    for (const [block] of text.matchAll(data)) hash.update(inflateSync(Buffer.from(block, "base64")));
  } catch (error) {
    return `damaged: ${error.message}`;
  }
  return hash.update(text.replaceAll(data, "").replace(/"project":"[^"]*"/, "")).digest("hex");
}

async function lookAtExperiments(facts, ask, scratch, where) {
  const { experiments = [] } = JSON.parse(await ask("experiment", "list", "--format", "json", ...where));
  for (const { name } of experiments) {
    const dump = await ask("experiment", "dump", name, "--format", "json", "-o", scratch, ...where);
    facts[["experiment", name, ...where].join(" ")] = JSON.parse(dump).rowsDigest;
    facts[["rows of", name, ...where].join(" ")] = await ask("export", name, "--format", "csv", ...where);
  }
}

/** Without the digests of experiments, which depend on the time of the import. */
export function withoutTimes(facts) {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, name.startsWith("experiment ") ? "there" : value]),
  );
}

/** Names whose values in `facts` are in none of `allowed`, with the values. */
export function differences(facts, ...allowed) {
  const names = new Set([facts, ...allowed].flatMap((each) => Object.keys(each)));
  return [...names]
    .filter((name) => !allowed.some((each) => each[name] === facts[name]))
    .map((name) => `${name} is ${facts[name]} instead of ${allowed.map((each) => each[name]).join(" or ")}`);
}
