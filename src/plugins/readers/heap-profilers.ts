import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import {
  readDhat,
  type HeapReport,
  heapRun,
  heapStacks,
  readHeaptrack,
  readMassif,
} from "../../formats/stacks/index.ts";
import type { Reader } from "./reader.ts";

const listed = { role: "parameter", occurrence: "once", type: "text", default: null } as const;

/** The same options as the collector `memory`. */
const options: readonly Variable[] = [
  { ...listed, name: "no-func", synopsis: "functions, one per line, whose allocations are omitted" },
  { ...listed, name: "no-source", synopsis: "source files, one per line, whose allocations are omitted" },
  {
    ...listed,
    name: "all",
    type: "boolean",
    default: false,
    synopsis: "include allocations and calls of unknown source",
  },
];

/** Makes a reader for one tool's reports; `mark` is the beginning of its files. */
function heapReader(
  name: string,
  synopsis: string,
  mark: RegExp,
  read: (source: AsyncIterable<Uint8Array>, file: string) => Promise<HeapReport>,
): Reader {
  return Object.freeze<Reader>({
    kind: "reader",
    name,
    synopsis,
    options,
    sniff: (head) => (mark.test(new TextDecoder().decode(head.subarray(0, 4096))) ? 1 : 0),
    stacks: async (source, _, { path }) => heapStacks(await read(source, path)),
    read: async (source, values, { path, directory }) =>
      heapRun(await read(source, path), { ...rulesOf(values), directory }),
  });
}

function rulesOf(values: Values): {
  readonly all: boolean;
  readonly noFunctions: readonly string[];
  readonly noSources: readonly string[];
} {
  return {
    all: values.get("all") === true,
    noFunctions: linesOf(values.get("no-func")),
    noSources: linesOf(values.get("no-source")),
  };
}

function linesOf(value: unknown): string[] {
  return typeof value === "string" ? value.split("\n").filter((line) => line !== "") : [];
}

export const massif: Reader = heapReader(
  "massif",
  "snapshots of the heap by valgrind --tool=massif",
  /^desc: .*\r?\ncmd: /,
  readMassif,
);

export const dhat: Reader = heapReader(
  "dhat",
  "allocations of a run by valgrind --tool=dhat",
  /^\s*\{\s*"dhatFileVersion"\s*:/,
  readDhat,
);

export const heaptrack: Reader = heapReader(
  "heaptrack",
  "allocations of a run by heaptrack",
  /^v [0-9a-f]+ [0-9a-f]+\r?\n/,
  readHeaptrack,
);
