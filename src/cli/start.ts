import { exitStatus } from "../core/failures/kind.ts";
import { exit } from "./exit.ts";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** A pack of the program: parts that are used together, in one file; each part is run when it is first asked for. */
type Pack = Readonly<Record<string, () => unknown>>;

/** A pack that was loaded. */
interface LoadedPack {
  /** Its name in the folder of the program. */
  readonly file: string;
  readonly script: Script;
  /** It was not compiled from its text. */
  readonly isFromCache: boolean;
}

const inPack = /^pack:([^/]+)[/](.+)$/;

/** The program as the build leaves it: a few packs, each compiled from V8's code cache where there is one. */
class Packs {
  readonly loaded: LoadedPack[] = [];
  readonly #folder: string;
  readonly #files: Readonly<Record<string, string>>;
  readonly #cacheOf: (file: string) => Buffer | undefined;
  readonly #packs = new Map<string, Pack>();
  readonly #parts = new Map<string, unknown>();

  /** `files`: of the packs, by their names; `cacheOf`: the code cache for such a file. */
  constructor(folder: string, files: Readonly<Record<string, string>>, cacheOf: (file: string) => Buffer | undefined) {
    this.#folder = folder;
    this.#files = files;
    this.#cacheOf = cacheOf;
  }

  /** A part of a pack, `pack:NAME/PART`. */
  part(specifier: string): unknown {
    const [, pack = "", name = ""] = inPack.exec(specifier) ?? [];
    const known = this.#parts.get(specifier);
    if (known !== undefined) return known;
    const part = this.#pack(pack)[name]?.();
    this.#parts.set(specifier, part);
    return part;
  }

  #pack(name: string): Pack {
    const pack = this.#packs.get(name) ?? this.#load(this.#files[name] ?? name);
    this.#packs.set(name, pack);
    return pack;
  }

  #load(file: string): Pack {
    const path = join(this.#folder, file);
    const cachedData = this.#cacheOf(file);
    // ASCII by construction, and so read without decoding.
    const script = new Script(`(function (module, require, __filename) {${readFileSync(path, "latin1")}\n})`, {
      filename: path,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    this.loaded.push({ file, script, isFromCache: cachedData !== undefined && script.cachedDataRejected !== true });
    const outside = createRequire(path);
    const require = (specifier: string): unknown =>
      inPack.test(specifier) ? this.part(specifier) : outside(specifier);
    const module = { exports: {} as Pack };
    (script.runInThisContext() as (holder: object, load: typeof require, path: string) => void)(module, require, path);
    return module.exports;
  }
}

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
