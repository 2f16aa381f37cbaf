import { isFailure } from "../../src/core/failures/failure.ts";
import { builtins } from "../../src/plugins/builtin.ts";
import { recognisingImporters, type Importer } from "../../src/plugins/importers/importer.ts";
import type { Reader } from "../../src/plugins/readers/reader.ts";
import { mutateProtobuf, mutateWords } from "../contracts/binary-mutations.ts";
import { mutateText } from "../contracts/text-mutations.ts";

/** What became of a damaged file. A problem: it was neither read nor refused with a Failure that names it. */
export type Outcome = "read" | "refused" | { readonly problem: string };

/** A reader of benchmark output or of profiles. */
export interface Fuzzed {
  readonly name: string;
  read(bytes: Uint8Array): Promise<void>;
}

export interface FuzzedReaders {
  readonly all: readonly Fuzzed[];
  /** The readers that detect their format by the first bytes of a file. */
  detecting(head: Uint8Array): readonly Fuzzed[];
}

const path = "some.file";

/** All plug-ins that read files of other programs and detect them. */
export async function fuzzedReaders(): Promise<FuzzedReaders> {
  const loaded = await Promise.all(
    builtins.filter(({ kind }) => kind === "importer" || kind === "reader").map((each) => each.load()),
  );
  const importers = loaded.filter((each): each is Importer => each.kind === "importer" && "marks" in each);
  const readers = loaded.filter((each): each is Reader => each.kind === "reader");
  const fuzzed = new Map<Importer | Reader, Fuzzed>([
    ...importers.map((each) => [each, fuzzedImporter(each)] as const),
    ...readers.map((each) => [each, fuzzedReader(each)] as const),
  ]);
  return {
    all: [...fuzzed.values()],
    detecting(head) {
      const importer = recognisingImporters(importers, head)[0]?.importer;
      const found = [importer, ...readers.filter((each) => each.sniff(head) > 0.5)];
      return found.flatMap((each) => (each === undefined ? [] : (fuzzed.get(each) ?? [])));
    },
  };
}

function fuzzedImporter(importer: Importer): Fuzzed {
  const options = new Map(importer.options.map((option) => [option.name, option.default ?? null]));
  const guide = { experiment: { name: "", readers: [], writers: [], variables: [] }, path };
  return {
    name: `importer ${importer.name}`,
    async read(bytes) {
      for await (const _ of importer.read(inPieces(bytes), options, guide));
    },
  };
}

function fuzzedReader(reader: Reader): Fuzzed {
  const options = new Map(reader.options.map((option) => [option.name, option.default ?? null]));
  return {
    name: `reader ${reader.name}`,
    async read(bytes) {
      await reader.read(inPieces(bytes), options, { path, directory: "/project" });
    },
  };
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 4096) yield bytes.slice(at, at + 4096);
}

/** Damages a file, depending on `seed` only. */
export function mutated(bytes: Uint8Array, seed: number): Uint8Array {
  const isText = !bytes.subarray(0, 4096).includes(0);
  const kind = seed % 10;
  if (kind < (isText ? 8 : 2)) return mutateText(bytes, seed);
  return kind < (isText ? 9 : 6) ? mutateWords(bytes, seed) : mutateProtobuf(bytes, seed);
}

/** Reads a damaged file. */
export async function outcomeOf({ read }: Fuzzed, bytes: Uint8Array): Promise<Outcome> {
  try {
    await read(bytes);
  } catch (error) {
    if (isFailure(error) && error.message.includes(path)) return "refused";
    return { problem: isFailure(error) ? `${error.code} does not name the file: ${error.message}` : stackOf(error) };
  }
  return Object.keys(Object.prototype).length === 0 ? "read" : { problem: "it changed the prototype of objects" };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 4).join(" ") : String(error);
}
