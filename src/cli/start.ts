import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exitStatus } from "../core/failures/kind.ts";
import { exit } from "./exit.ts";
import { Packs, type LoadedPack } from "./packs.ts";

/** The files of the packs by their names, set by the build; the name of a file changes with every byte in it. */
declare const packFiles: Readonly<Record<string, string>>;
/** Where `main` is. */
declare const mainPart: string;

interface Program {
  main(argv: readonly string[]): Promise<number>;
}

/**
 * Starts the program from its compiled form (V8's code cache), which saves a third of the time of a short command;
 * docs/adr/001-bundle.md has the figures. The build makes one for the Node it runs under; for another Node it is made
 * once, in the user's cache folder. That it belongs to this program is in its name, that it is whole in its first
 * bytes.
 */
const folder = dirname(fileURLToPath(import.meta.url));
const userFolder = join(
  process.env["XDG_CACHE_HOME"] || join(process.env["HOME"] || "/nonexistent", ".cache"),
  "perfkeep",
);

const digestLength = 32;

const packs = new Packs(folder, packFiles, (file) => cacheIn(folder, file) ?? cacheIn(userFolder, file));
const { main } = packs.part(mainPart) as Program;

/** A reader that closed the pipe (`| head`) has seen enough: that is no failure. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") exit(exitStatus.fine);
  process.stderr.write(
    `perfkeep: error: cannot write standard output: ${error.code ?? error.message} [cannot-write-output]\n`,
  );
  exit(exitStatus.host);
});

void main(process.argv).then((status) => {
  for (const pack of packs.loaded) if (!pack.isFromCache) keepCache(pack);
  exit(status);
});

function cacheName(file: string): string {
  return `${file}-${process.versions.v8}-${process.arch}.cache`;
}

/** Code is taken only from a plain file that nobody else can write. */
function cacheIn(place: string, file: string): Buffer | undefined {
  try {
    const path = join(place, cacheName(file));
    const { mode, uid } = lstatSync(path);
    const isOurs = place === folder || (uid === process.getuid?.() && (mode & 0o170022) === 0o100000);
    return isOurs ? intact(readFileSync(path)) : undefined;
  } catch {
    return undefined;
  }
}

/** V8 verifies its version and flags but not the content, and dies of a damaged one; so a digest stands before it. */
function intact(bytes: Buffer): Buffer | undefined {
  const content = bytes.subarray(digestLength);
  return createHash("sha256").update(content).digest().equals(bytes.subarray(0, digestLength)) ? content : undefined;
}

/** A convenience: that it cannot be kept is no reason to say anything. */
function keepCache({ file, script }: LoadedPack): void {
  try {
    // One level at a time: Node's recursive form never ends below /proc.
    for (const place of [dirname(userFolder), userFolder]) if (!existsSync(place)) mkdirSync(place, { mode: 0o700 });
    const temporary = join(userFolder, `.${cacheName(file)}-${process.pid}`);
    const content = script.createCachedData();
    const digest = createHash("sha256").update(content).digest();
    writeFileSync(temporary, Buffer.concat([digest, content]), { mode: 0o600, flag: "wx" });
    renameSync(temporary, join(userFolder, cacheName(file)));
  } catch {
    // The next start compiles again.
  }
}
