import { join } from "node:path";
import { Failure } from "../../../core/failures/index.ts";
import { type KnownSet, decodeSharedSet, emptySet, encodeSharedSet } from "../../../formats/store/index.ts";
import { writeDurably, readRegularFile } from "../../../store/durable/index.ts";

const nothingKnown: KnownSet = { set: emptySet, absent: new Set() };

/**
 * Last known state of a remote's shared sets by path, stored as JSON lines `[path, set, absent keys]`. If the file is
 * lost, no profile is lost: local entries count as new additions, and only unsent removals are forgotten.
 */
export class KnownSets {
  readonly #path: string;
  readonly #sets: Map<string, KnownSet>;
  #isChanged = false;

  constructor(folder: string, part: string) {
    this.#path = join(folder, `${part}.known`);
    this.#sets = readSets(this.#path);
  }

  paths(): Iterable<string> {
    return this.#sets.keys();
  }

  *texts(): Iterable<string> {
    for (const { set } of this.#sets.values()) yield* set.additions.values();
  }

  get(path: string): KnownSet {
    return this.#sets.get(path) ?? nothingKnown;
  }

  set(path: string, known: KnownSet): void {
    if (this.#sets.get(path) === known) return;
    this.#sets.set(path, known);
    this.#isChanged = true;
  }

  /** Durable on return; does not write unless changed. */
  save(): void {
    if (!this.#isChanged) return;
    const decoder = new TextDecoder();
    const lines = [...this.#sets].map(
      ([path, { set, absent }]) => `${JSON.stringify([path, decoder.decode(encodeSharedSet(set)), [...absent]])}\n`,
    );
    writeDurably(this.#path, [new TextEncoder().encode(lines.join(""))]);
    this.#isChanged = false;
  }
}

function readSets(path: string): Map<string, KnownSet> {
  const bytes = readRegularFile(path);
  try {
    const lines = bytes === null ? [] : new TextDecoder().decode(bytes).split("\n").slice(0, -1);
    return new Map(lines.map((line) => readSet(line)));
  } catch (error) {
    // Treated as missing.
    if (error instanceof SyntaxError || error instanceof Failure) return new Map();
    throw error;
  }
}

function readSet(line: string): [string, KnownSet] {
  const values: unknown = JSON.parse(line);
  const [path, text, absent] = Array.isArray(values) ? (values as readonly unknown[]) : [];
  if (typeof path !== "string" || typeof text !== "string" || !Array.isArray(absent)) throw new SyntaxError("no set");
  const set = decodeSharedSet(new TextEncoder().encode(text), path);
  return [path, { set, absent: new Set(absent.filter((key) => typeof key === "string")) }];
}
