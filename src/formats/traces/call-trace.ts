import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/index.ts";

/** A location in a program. Unknown locations have the source `unreachable` and line 0. */
export interface Frame {
  readonly function: string;
  readonly source: string;
  readonly line: number;
}

export const unreachable = "unreachable";

/** Maximum number of frames of a trace; outer frames are dropped. */
export const maxTraceDepth = 128;

/** Selects allocations and the frames of their traces. */
export interface TraceRules {
  /** Includes allocations and frames without source, and frames of allocators. */
  readonly all: boolean;
  /** Functions and sources whose allocations are omitted. */
  readonly noFunctions: readonly string[];
  readonly noSources: readonly string[];
}

/**
 * System libraries. They count as having no source, so that profiles do not depend on installed debug information.
 */
const system = /\/(?:lib(?:c|m|dl|rt|pthread|gcc_s|stdc\+\+|c\+\+|c\+\+abi)|ld)(?:-[^/]*)?\.so[^/]*$/;

const allocators = new RegExp(
  "^(?:malloc|calloc|realloc|reallocarray|memalign|posix_memalign|aligned_alloc|p?valloc|free|" +
    "operator (?:new|delete)\\b.*)$",
);

export function isSystemLibrary(path: string): boolean {
  return system.test(path);
}

/** Whether a function is malloc, operator new or a similar allocator function. */
export function isAllocator(name: string): boolean {
  return allocators.test(name);
}

/** Makes paths below the directory relative, so that they are equal in checkouts of other commits. */
export function relativeSource(directory: string, path: string): string {
  const below = `${directory.replace(/\/$/, "")}/`;
  return path.startsWith(below) ? path.slice(below.length) : path;
}

/** A trace as stored in profile rows. Equal traces are one object, even if their addresses differ. */
export interface Trace {
  readonly id: number;
  readonly json: Json;
  /** The innermost frame that has a source. */
  readonly uid: Json;
}

/** Converts frames, innermost first, to traces. */
export class Traces {
  readonly #rules: TraceRules;
  readonly #byText = new Map<string, Trace | null>();

  constructor(rules: TraceRules) {
    this.#rules = rules;
  }

  /** null if the allocation is omitted. */
  of(all: readonly Frame[]): Trace | null {
    const frames = this.#rules.all
      ? all
      : all.filter((frame) => frame.source !== unreachable && !isAllocator(frame.function));
    const text = frames.map((frame) => `${frame.function}\0${frame.source}\0${frame.line}`).join("\0");
    let trace = this.#byText.get(text);
    if (trace === undefined) this.#byText.set(text, (trace = this.#build(frames)));
    return trace;
  }

  #build(frames: readonly Frame[]): Trace | null {
    const location = frames.find((frame) => frame.source !== unreachable) ?? frames[0];
    if (location === undefined || this.#isExcluded(location)) return null;
    return { id: this.#byText.size, json: frames.map(frameJson), uid: frameJson(location) };
  }

  /** C++ functions match by prototype or by name alone, sources by path or file name. */
  #isExcluded(location: Frame): boolean {
    const { noFunctions, noSources } = this.#rules;
    const isNamed = (names: readonly string[], ...spellings: string[]): boolean =>
      spellings.some((spelling) => names.includes(spelling));
    const file = location.source.slice(location.source.lastIndexOf("/") + 1);
    return (
      isNamed(noFunctions, location.function, location.function.replace(/\(.*$/s, "")) ||
      isNamed(noSources, location.source, file)
    );
  }
}

function frameJson(frame: Frame): JsonObject {
  return jsonObject({ function: frame.function, source: frame.source, line: JsonNumber.integer(frame.line) });
}
