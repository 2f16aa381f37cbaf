import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, parse } from "node:path";
import { assetPath } from "../files/assets.ts";
import { isExecutable, searchPath } from "./search-path.ts";

export interface BuildPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of the user's own for what is built. */
  readonly cacheFolder: string;
}

/**
 * How a C source under `assets/` is built: words for the compiler besides source and output, and a trial of the
 * outcome.
 */
export interface Recipe {
  readonly source: string;
  readonly words: readonly string[];
  works(path: string): boolean;
}

/** Where what was built lies, or why it was not; `compiler` is null where there is none. */
export type Built = { readonly path: string } | { readonly reason: string; readonly compiler: string | null };

/** Builds it at first use and keeps it; by rename, so that a kill or a second builder never leaves half of one. */
export function builtAsset(places: BuildPlaces, recipe: Recipe): Built {
  const source = assetPath(recipe.source);
  const facts = [...recipe.words, process.platform, process.arch].join("\0");
  const key = createHash("sha256").update(readFileSync(source)).update(facts).digest("hex");
  const path = join(places.cacheFolder, `${parse(recipe.source).name}-${key.slice(0, 16)}`);
  return isExecutable(path) ? { path } : build(source, path, places, recipe);
}

function build(source: string, path: string, places: BuildPlaces, { words, works }: Recipe): Built {
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
