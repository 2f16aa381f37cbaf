import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exitStatus } from "../core/failures/index.ts";
import { exit } from "./exit.ts";
import { Packs, type LoadedPack } from "./packs.ts";

/** File names of the packs, set by the build; they contain a content hash. */
declare const packFiles: Readonly<Record<string, string>>;
/** The part that exports `main`. */
declare const mainPart: string;

interface Program {
  main(argv: readonly string[]): Promise<number>;
}

/**
 * Starts the program from V8's code cache, which saves a third of the start-up time (docs/adr/001-bundle.md). The build
 * writes a cache for its Node version; for other versions the first start writes one to the user's cache folder. The
 * name of a cache identifies the program, its first bytes are a digest.
 */
const folder = dirname(fileURLToPath(import.meta.url));
const userFolder = join(
  process.env["XDG_CACHE_HOME"] || join(process.env["HOME"] || "/nonexistent", ".cache"),
  "perfkeep",
);

const digestLength = 32;

const packs = new Packs(folder, packFiles, (file) => cacheIn(folder, file) ?? cacheIn(userFolder, file));
const { main } = packs.part(mainPart) as Program;

/** A closed pipe (`| head`) is not an error. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") exit(exitStatus.fine);
  process.stderr.write(
    `perfkeep: error: cannot write standard output: ${error.code ?? error.message} [cannot-write-output]\n`,
  );
  exit(exitStatus.host);
});

void main(process.argv).then((status) => {
  for (const pack of packs.loaded) if (!pack.isFromCache) writeCache(pack);
  exit(status);
});

function cacheName(file: string): string {
  return `${file}-${process.versions.v8}-${process.arch}.cache`;
}

/** Reads a cache only from a regular file that other users cannot write. */
function cacheIn(directory: string, file: string): Buffer | undefined {
  try {
    const path = join(directory, cacheName(file));
    const { mode, uid } = lstatSync(path);
    const isTrusted = directory === folder || (uid === process.getuid?.() && (mode & 0o170022) === 0o100000);
    return isTrusted ? verified(readFileSync(path)) : undefined;
  } catch {
    return undefined;
  }
}

/** V8 checks version and flags of a cache but crashes on damaged data, so a digest precedes it. */
function verified(bytes: Buffer): Buffer | undefined {
  const data = bytes.subarray(digestLength);
  return createHash("sha256").update(data).digest().equals(bytes.subarray(0, digestLength)) ? data : undefined;
}

/** Writes a cache; errors are ignored, since the next start compiles again. */
function writeCache({ file, script }: LoadedPack): void {
  try {
    // One level at a time: the recursive option never returns below /proc.
    for (const path of [dirname(userFolder), userFolder]) if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    const temporary = join(userFolder, `.${cacheName(file)}-${process.pid}`);
    const data = script.createCachedData();
    const digest = createHash("sha256").update(data).digest();
    writeFileSync(temporary, Buffer.concat([digest, data]), { mode: 0o600, flag: "wx" });
    renameSync(temporary, join(userFolder, cacheName(file)));
  } catch {
    // Ignored.
  }
}
