import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

/** A file of parts that are used together; each part is evaluated on first use. */
type Pack = Readonly<Record<string, () => unknown>>;

/** A loaded pack. */
export interface LoadedPack {
  /** File name in the program folder. */
  readonly file: string;
  readonly script: Script;
  /** Compiled from the code cache. */
  readonly isFromCache: boolean;
}

const inPack = /^pack:([^/]+)[/](.+)$/;

/** The built program: a few packs, each compiled from V8's code cache if there is one. */
export class Packs {
  readonly loaded: LoadedPack[] = [];
  readonly #folder: string;
  readonly #files: Readonly<Record<string, string>>;
  readonly #cacheOf: (file: string) => Buffer | undefined;
  readonly #packs = new Map<string, Pack>();
  readonly #parts = new Map<string, unknown>();

  /** `files`: file names by pack name; `cacheOf` returns the code cache of a file. */
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
    // ASCII by construction, so no decoding is needed.
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
