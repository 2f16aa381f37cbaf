import { isDigest, type Digest } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { JsonFields } from "../../json/index.ts";

/** The first member of a dump, which identifies the format. */
export const dumpMark = { name: "format", text: "perfkeep-dump 1\n" } as const;

/** A file within the dump. */
export interface DumpMember {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** The last member, `manifest.json`, which lists and verifies all others. */
export interface DumpManifest {
  readonly schema: "perfkeep.dump/1";
  /** The program that wrote it. */
  readonly program?: string;
  /** The name of the experiment; elsewhere it occurs only in the spellings. */
  readonly experiment: string;
  readonly spellings: { readonly exp: string; readonly xml: string };
  /** SHA-256 of all values of the experiment, without its name and owner. */
  readonly contents: string;
  /** The ids of its variables in the ledger of the dump; absent without a ledger. */
  readonly variables?: readonly number[];
  /** Referenced objects that are not in the dump. */
  readonly missing: readonly MissingObject[];
  readonly members: readonly DumpMember[];
}

export interface MissingObject {
  readonly object: Digest;
  /** Its source path or a description. */
  readonly what: string;
}

export function encodeManifest(manifest: DumpManifest): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(manifest, null, 1)}\n`);
}

/** Fails with `dump-damaged`, which names `path`, the dump. */
export function decodeManifest(bytes: Uint8Array, path: string): DumpManifest {
  return dumpFields(bytes, path, "manifest.json", (fields) => {
    const spellings = fields.fields("spellings");
    return {
      schema: fields.word("schema", ["perfkeep.dump/1"]),
      ...fields.optional("program", (name) => fields.text(name)),
      experiment: fields.text("experiment"),
      spellings: { exp: spellings.text("exp"), xml: spellings.text("xml") },
      contents: fields.text("contents"),
      ...fields.optional("variables", (name) => fields.numbers(name)),
      missing: fields.list("missing").map((each) => ({ object: each.digest("object"), what: each.text("what") })),
      members: fields
        .list("members")
        .map((each) => ({ name: each.text("name"), size: each.number("size"), sha256: each.text("sha256") })),
    };
  });
}

/** Reads a JSON member; any error becomes `dump-damaged`. */
export function dumpFields<T>(bytes: Uint8Array, path: string, member: string, read: (fields: JsonFields) => T): T {
  try {
    return read(JsonFields.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), member));
  } catch (error) {
    const problem = error instanceof Failure ? error.message : `${member} is no UTF-8`;
    throw new Failure("dump-damaged", { path, problem }, error);
  }
}

/** The tables of a dump in file order, each in numbered pieces. */
export const dumpTables = [
  "attachments",
  "parameter-sets",
  "parameter-set-contents",
  "claims",
  "runs",
  "sources",
  "once",
  "data",
] as const;

export type DumpTable = (typeof dumpTables)[number];

export type DumpRole =
  | { readonly kind: "mark" | "experiment" | "manifest" }
  | { readonly kind: "rows"; readonly table: DumpTable; readonly number: number }
  | { readonly kind: "object"; readonly object: Digest }
  | { readonly kind: "ledger"; readonly number: number };

export function dumpMemberName(role: DumpRole): string {
  switch (role.kind) {
    case "mark":
      return dumpMark.name;
    case "experiment":
      return "experiment.json";
    case "rows":
      return `${role.table}/${String(role.number).padStart(8, "0")}.tsv`;
    case "object":
      return `objects/${role.object}`;
    case "ledger":
      return `ledger/${String(role.number).padStart(8, "0")}.json`;
    case "manifest":
      return "manifest.json";
  }
}

/** What a member of that name is; undefined: no dump has one. */
export function dumpRole(name: string): DumpRole | undefined {
  if (name === dumpMark.name) return { kind: "mark" };
  if (name === "experiment.json") return { kind: "experiment" };
  if (name === "manifest.json") return { kind: "manifest" };
  const [, folder, rest = ""] = /^([a-z-]{1,40})\/([0-9a-f]{40}|\d{8}\.(?:tsv|json))$/.exec(name) ?? [];
  const table = dumpTables.find((each) => each === folder);
  if (table !== undefined && rest.endsWith(".tsv")) return { kind: "rows", table, number: Number(rest.slice(0, 8)) };
  if (folder === "ledger" && rest.endsWith(".json")) return { kind: "ledger", number: Number(rest.slice(0, 8)) };
  return folder === "objects" && isDigest(rest) ? { kind: "object", object: rest } : undefined;
}

/**
 * Whether `next` may directly follow `before`: sections follow in order, pieces are numbered from 1, objects ascend.
 */
export function mayFollow(before: DumpRole | undefined, next: DumpRole): boolean {
  const [was, is] = [sectionOf(before), sectionOf(next)];
  if (was < mustHave && is > mustHave) return false;
  if (was !== is || before === undefined) return is > was && !("number" in next && next.number !== 1);
  if ("number" in before && "number" in next) return next.number === before.number + 1;
  return before.kind === "object" && next.kind === "object" && before.object < next.object;
}

/** The section of the required `experiment.json`. */
const mustHave = 1;

function sectionOf(role: DumpRole | undefined): number {
  switch (role?.kind) {
    case undefined:
      return -1;
    case "mark":
      return 0;
    case "experiment":
      return mustHave;
    case "rows":
      return 2 + dumpTables.indexOf(role.table);
    case "object":
      return 2 + dumpTables.length;
    case "ledger":
      return 3 + dumpTables.length;
    case "manifest":
      return 4 + dumpTables.length;
  }
}
