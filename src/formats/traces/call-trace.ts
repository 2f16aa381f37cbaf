import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";

/** A place in a program. `source` is `unreachable` and `line` 0 where nothing tells. */
export interface Frame {
  readonly function: string;
  readonly source: string;
  readonly line: number;
}

export const unreachable = "unreachable";

/** Calls of a trace that are kept, from the inside. */
export const deepestTrace = 128;

/** Which allocations count, and how their traces are shown. */
export interface TraceRules {
  /** Also allocations and frames without source, and the allocators' own frames. */
  readonly all: boolean;
  /** Functions and sources; what was allocated at such a place is left out. */
  readonly noFunctions: readonly string[];
  readonly noSources: readonly string[];
}

/**
 * Libraries of the system, whose sources are not the program's: whether their debug information is installed must not
 * change a profile.
 */
const system = /\/(?:lib(?:c|m|dl|rt|pthread|gcc_s|stdc\+\+|c\+\+|c\+\+abi)|ld)(?:-[^/]*)?\.so[^/]*$/;

const allocators =
  /^(?:malloc|calloc|realloc|reallocarray|memalign|posix_memalign|aligned_alloc|p?valloc|free|operator (?:new|delete)\b.*)$/;

export function isSystemLibrary(path: string): boolean {
  return system.test(path);
}

/** malloc, operator new and their kin. */
export function isAllocator(name: string): boolean {
  return allocators.test(name);
}

/** Paths below the directory are relative, so that the same place has the same name in trees of other versions. */
export function sourceBelow(directory: string, path: string): string {
  const below = `${directory.replace(/\/$/, "")}/`;
  return path.startsWith(below) ? path.slice(below.length) : path;
}

/** A trace as rows of a profile have it. Equal traces are one object, whatever the addresses. */
export interface Trace {
  readonly id: number;
  readonly json: Json;
  /** The innermost frame that has a source. */
  readonly uid: Json;
}

/** Makes traces of frames, inner first. */
export class Traces {
  readonly #rules: TraceRules;
  readonly #byText = new Map<string, Trace | null>();

  constructor(rules: TraceRules) {
    this.#rules = rules;
  }

  /** null: what was allocated there is left out. */
  of(found: readonly Frame[]): Trace | null {
    const frames = this.#rules.all
      ? found
      : found.filter((frame) => frame.source !== unreachable && !isAllocator(frame.function));
    const text = frames.map((frame) => `${frame.function}\0${frame.source}\0${frame.line}`).join("\0");
    let trace = this.#byText.get(text);
    if (trace === undefined) this.#byText.set(text, (trace = this.#made(frames)));
    return trace;
  }

  #made(frames: readonly Frame[]): Trace | null {
    const place = frames.find((frame) => frame.source !== unreachable) ?? frames[0];
    if (place === undefined || this.#isUnwanted(place)) return null;
    return { id: this.#byText.size, json: frames.map(frameJson), uid: frameJson(place) };
  }

  /** C++ functions go by their prototype or by their name alone; sources by their path or its last part. */
  #isUnwanted(place: Frame): boolean {
    const { noFunctions, noSources } = this.#rules;
    const isNamed = (names: readonly string[], ...spellings: string[]): boolean =>
      spellings.some((spelling) => names.includes(spelling));
    const file = place.source.slice(place.source.lastIndexOf("/") + 1);
    return (
      isNamed(noFunctions, place.function, place.function.replace(/\(.*$/s, "")) ||
      isNamed(noSources, place.source, file)
    );
  }
}

function frameJson(frame: Frame): JsonObject {
  return jsonObject({ function: frame.function, source: frame.source, line: JsonNumber.integer(frame.line) });
}
