import { Failure } from "../../core/failures/failure.ts";
import type { Clock } from "../../plugins/collectors/collector.ts";
import { assetPath } from "../files/assets.ts";
import { searchPath, isExecutable } from "./search-path.ts";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, parse } from "node:path";

/**
 * A way to start a program so that what it takes is known. Words of `prefix` stand before the program's; it reports on
 * descriptor 3 unless empty.
 */
export interface Launcher {
  readonly clock: Clock;
  readonly prefix: readonly string[];
}

export type LauncherPlaces = BuildPaths;

/** Numbers of wait4, clock_gettime and prctl on Linux, by processor. */
const systemCalls: Readonly<Record<string, string>> = { x64: "61,228,157", arm64: "260,113,167" };

/** The best launcher this machine has: built from C and kept, else through Perl, else none. */
export function findLauncher(places: LauncherPlaces): Launcher {
  return compiledLauncher(places) ?? perlLauncher(places) ?? directLauncher;
}

/** Without a launcher the program is started directly. */
export const directLauncher: Launcher = { clock: process.platform === "linux" ? "procfs" : "none", prefix: [] };

/** The C launcher, built at first use. */
export function compiledLauncher(places: LauncherPlaces): Launcher | null {
  const works = (path: string): boolean => isWorkingLauncher([path], [path], 2);
  const built = buildAsset(places, { source: "launcher.c", flags: [], works });
  return "path" in built ? { clock: "wait4", prefix: [built.path] } : null;
}

/** Perl, where its system calls work. */
export function perlLauncher(places: LauncherPlaces): Launcher | null {
  const numbers = process.platform === "linux" ? systemCalls[process.arch] : undefined;
  const perl = searchPath("perl", places.environment["PATH"]);
  if (numbers === undefined || perl === null) return null;
  const prefix = [perl, assetPath("launcher.pl"), numbers];
  return isWorkingLauncher(prefix, [perl, "-e", "exit 7"], 7) ? { clock: "perl-wait4", prefix } : null;
}

/** Tries the launcher on a program that ends with `status`. */
function isWorkingLauncher(prefix: readonly string[], program: readonly string[], status: number): boolean {
  const [file = "", ...words] = prefix;
  const { output } = spawnSync(file, [...words, ...program], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    timeout: 10_000,
    encoding: "utf8",
  });
  return new RegExp(`^done \\d+ \\d+ \\d+ \\d+ ${status} -\\n$`).test(output?.[3] ?? "");
}

/**
 * A shared library to be loaded into programs. Fails with `tool-missing` where it cannot be built, `untraceable` where
 * it cannot be loaded from its place.
 */
export function buildLibrary(places: BuildPaths, source: string): string {
  if (process.platform !== "linux")
    throw missingTool("Linux, the system whose programs can be looked into,", "use a Linux machine or a container");
  const built = buildAsset(places, {
    source,
    flags: ["-std=gnu11", "-shared", "-fPIC", "-pthread", "-ldl"],
    works: isExecutable,
  });
  if ("path" in built) return requireLoadable(built.path);
  const install = "a C compiler with the headers of the C library (Debian: apt install gcc libc6-dev)";
  throw missingTool(
    built.compiler === null
      ? "a C compiler"
      : `what ${built.compiler} needs to build ${source} (${built.reason.slice(0, 200)})`,
    install,
  );
}

function missingTool(tool: string, install: string): Failure {
  return new Failure("tool-missing", { tool, install });
}

/** The loader takes blanks and colons for ends of names. */
function requireLoadable(path: string): string {
  if (!/[\s:]/.test(path)) return path;
  const reason = `the loader cannot read names with blanks or colons such as '${path}'`;
  throw new Failure("untraceable", {
    what: "the program",
    reason,
    instead: "set XDG_CACHE_HOME to a folder without them",
  });
}

interface BuildPaths {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of the user's own for what is built. */
  readonly cacheFolder: string;
}

/**
 * How a C source under `assets/` is built: words for the compiler besides source and output, and a trial of the
 * outcome.
 */
interface BuildRecipe {
  readonly source: string;
  readonly flags: readonly string[];
  works(path: string): boolean;
}

/** Where what was built lies, or why it was not; `compiler` is null where there is none. */
type BuildResult = { readonly path: string } | { readonly reason: string; readonly compiler: string | null };

/** Builds it at first use and keeps it; by rename, so that a kill or a second builder never leaves half of one. */
function buildAsset(places: BuildPaths, recipe: BuildRecipe): BuildResult {
  const source = assetPath(recipe.source);
  const facts = [...recipe.flags, process.platform, process.arch].join("\0");
  const key = createHash("sha256").update(readFileSync(source)).update(facts).digest("hex");
  const path = join(places.cacheFolder, `${parse(recipe.source).name}-${key.slice(0, 16)}`);
  return isExecutable(path) ? { path } : compileAsset(source, path, places, recipe);
}

function compileAsset(
  source: string,
  path: string,
  places: BuildPaths,
  { flags: words, works }: BuildRecipe,
): BuildResult {
  const found = ["cc", "gcc", "clang"].map((name) => searchPath(name, places.environment["PATH"]));
  const compiler = found.find((each) => each !== null) ?? null;
  if (compiler === null) return { reason: "there is no C compiler", compiler };
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(places.cacheFolder, { recursive: true, mode: 0o700 });
    const { stderr } = spawnSync(compiler, ["-O2", "-o", temporary, source, ...words], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 30_000,
      encoding: "utf8",
    });
    if (!works(temporary)) return { reason: stderr?.split("\n")[0] || "what it built does not work", compiler };
    renameSync(temporary, path);
    return { path };
  } catch (error) {
    // A cache that cannot be written: whoever can do without goes on.
    return { reason: error instanceof Error ? error.message : String(error), compiler };
  } finally {
    rmSync(temporary, { force: true });
  }
}
