// Prepares a checkout: installs the locked dependencies, then builds the bundle. Uses only Node's own modules, because
// a fresh clone has no others. Fast if nothing changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Installs and builds what is missing or out of date. On failure, prints the tool's output and exits. */
export function prepare() {
  installed();
  built();
}

export function installed() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`perfkeep needs Node 20.19 or newer, this is ${process.versions.node}`);
  if (!isInstalled()) step("installing dependencies", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}

export function built() {
  if (!isBuilt()) step("building", process.execPath, ["scripts/build.mjs", "scripts/code-cache.mjs", "--program"]);
}

/**
 * True if every package of the lockfile is installed in its locked version. npm writes the record as the last step of
 * an install.
 */
function isInstalled() {
  const record = join(root, "node_modules/.package-lock.json");
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.entries(locked).every(([path, want]) => path === "" || isSatisfied(want, installed[path]));
}

function isSatisfied(want, have) {
  return have === undefined ? want.optional === true || want.peer === true : have.version === want.version;
}

/** True if the bundle was built from the current sources. */
function isBuilt() {
  const stamp = join(root, "dist/.sources");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesDigest();
}

/** A digest of all inputs of the bundle. */
export function sourcesDigest() {
  const hash = createHash("sha256");
  for (const path of [
    "package.json",
    "package-lock.json",
    "scripts/build.mjs",
    "scripts/code-cache.mjs",
    "scripts/direct-imports.mjs",
    "scripts/everyday.mjs",
    "scripts/packs.mjs",
    "scripts/modules.mjs",
    "scripts/used-modules.mjs",
    "scripts/web.mjs",
    ...files("assets"),
    ...files("src"),
    ...files("web"),
    ...files("test/contracts"),
    ...files("test/fakes"),
  ]) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

function files(folder) {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name));
  return names.filter((name) => !name.endsWith(".test.ts") && statSync(join(root, name)).isFile()).sort();
}

function step(what, command, args) {
  const started = Date.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) fail(`${what} failed: ${command} ${args.join(" ")}\n${error?.message ?? stdout + stderr}`);
  process.stderr.write(`${what}: ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) prepare();
