import { Failure } from "../../core/failures/index.ts";
import type { Clock } from "../../plugins/collectors/collector.ts";
import { assetPath } from "../files/index.ts";
import { searchPath, isExecutable } from "./search-path.ts";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, parse } from "node:path";

/**
 * A way to start programs that reports their resource usage: a command prefix, which reports on descriptor 3 unless
 * empty.
 */
export interface Launcher {
  readonly clock: Clock;
  readonly prefix: readonly string[];
}

/** System call numbers of wait4, clock_gettime and prctl on Linux, by architecture. */
const systemCalls: Readonly<Record<string, string>> = { x64: "61,228,157", arm64: "260,113,167" };

/** The best available launcher: compiled from C, else Perl, else none. */
export function findLauncher(paths: BuildPaths): Launcher {
  return compiledLauncher(paths) ?? perlLauncher(paths) ?? directLauncher;
}

/** Starts programs directly. */
export const directLauncher: Launcher = { clock: process.platform === "linux" ? "procfs" : "none", prefix: [] };

/** The C launcher, compiled lazily. */
export function compiledLauncher(paths: BuildPaths): Launcher | null {
  const works = (path: string): boolean => isWorkingLauncher([path], [path], 2);
  const built = buildAsset(paths, { source: "launcher.c", flags: [], works });
  return "path" in built ? { clock: "wait4", prefix: [built.path] } : null;
}

/** The Perl launcher, if its system calls work. */
export function perlLauncher(paths: BuildPaths): Launcher | null {
  const numbers = process.platform === "linux" ? systemCalls[process.arch] : undefined;
  const perl = searchPath("perl", paths.environment["PATH"]);
  if (numbers === undefined || perl === null) return null;
  const prefix = [perl, assetPath("launcher.pl"), numbers];
  return isWorkingLauncher(prefix, [perl, "-e", "exit 7"], 7) ? { clock: "perl-wait4", prefix } : null;
}

/** Tests a launcher with a program that exits with `status`. */
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
 * A shared library for preloading. Fails with `tool-missing` if it cannot be compiled, `untraceable` if its path cannot
 * be preloaded.
 */
export function buildLibrary(paths: BuildPaths, source: string): string {
  if (process.platform !== "linux")
    throw missingTool(
      "Linux, the only system on which programs can be instrumented,",
      "use a Linux machine or a container",
    );
  const built = buildAsset(paths, {
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

/** The loader treats blanks and colons as separators. */
function requireLoadable(path: string): string {
  if (!/[\s:]/.test(path)) return path;
  const reason = `the loader cannot read names with blanks or colons such as '${path}'`;
  throw new Failure("untraceable", {
    what: "the program",
    reason,
    instead: "set XDG_CACHE_HOME to a folder without them",
  });
}

export interface BuildPaths {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of the user for compiled files. */
  readonly cacheFolder: string;
}

/** How to compile a C source under `assets/`: compiler flags, and a test of the output. */
interface BuildRecipe {
  readonly source: string;
  readonly flags: readonly string[];
  works(path: string): boolean;
}

/** Path of the output, or why compilation failed; `compiler` is null without one. */
type BuildResult = { readonly path: string } | { readonly reason: string; readonly compiler: string | null };

/**
 * Compiles lazily and caches the output, renamed from a temporary file, so that neither a kill nor a concurrent build
 * leaves a partial file.
 */
function buildAsset(paths: BuildPaths, recipe: BuildRecipe): BuildResult {
  const source = assetPath(recipe.source);
  const facts = [...recipe.flags, process.platform, process.arch].join("\0");
  const key = createHash("sha256").update(sourceText(source)).update(facts).digest("hex");
  const path = join(paths.cacheFolder, `${parse(recipe.source).name}-${key.slice(0, 16)}`);
  return isExecutable(path) ? { path } : compileAsset(source, path, paths, recipe);
}

/** A C source followed by the headers next to it that it includes. */
function sourceText(source: string): string {
  const text = readFileSync(source, "utf8");
  const headers = [...text.matchAll(/^#include "([a-z-]+[.]h)"$/gm)].map(([, name = ""]) => name);
  return [text, ...headers.map((name) => readFileSync(join(dirname(source), name), "utf8"))].join("\0");
}

function compileAsset(
  source: string,
  path: string,
  paths: BuildPaths,
  { flags: words, works }: BuildRecipe,
): BuildResult {
  const compilers = ["cc", "gcc", "clang"].map((name) => searchPath(name, paths.environment["PATH"]));
  const compiler = compilers.find((each) => each !== null) ?? null;
  if (compiler === null) return { reason: "there is no C compiler", compiler };
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(paths.cacheFolder, { recursive: true, mode: 0o700 });
    const { stderr } = spawnSync(compiler, ["-O2", "-o", temporary, source, ...words], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 30_000,
      encoding: "utf8",
    });
    if (!works(temporary)) return { reason: stderr?.split("\n")[0] || "its output does not work", compiler };
    renameSync(temporary, path);
    return { path };
  } catch (error) {
    // An unwritable cache: the caller falls back to another launcher.
    return { reason: error instanceof Error ? error.message : String(error), compiler };
  } finally {
    rmSync(temporary, { force: true });
  }
}
