import type { Digest } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Experiment } from "../../../core/experiments/index.ts";
import { experimentJson, experimentOfJson } from "./experiment-json.ts";
import { JsonFields } from "../../json/index.ts";
import { importOf, importOptionsJson, type ImportChange } from "./ledger-import.ts";

/** The type of the attachments that store entries. */
export const ledgerType = "ledger";

/**
 * One change of an experiment database, stored as an `attachment ledger` object (JSON, one line, keys in this order).
 * The entries of a database form a chain: each refers to the object of the previous one, so all can be found without
 * the database. All times are microseconds since 1970-01-01T00:00:00Z.
 */
export interface LedgerEntry {
  readonly schema: "perfkeep.ledger/1";
  /** The UUID of the database. */
  readonly database: string;
  /** 1, 2, 3, … */
  readonly number: number;
  /** The object of the previous entry; absent in the first. */
  readonly previous?: Digest;
  readonly time: number;
  /** The id of the experiment that changed. */
  readonly experiment: number;
  readonly change: LedgerChange;
  /** The original entry of the change in any instance; absent if it is this one. */
  readonly origin?: Digest;
  /** Adjusts the experiment to the result of a shared history without being part of it. */
  readonly aside?: true;
}

export type LedgerChange =
  | DescribedChange
  | ImportChange
  | {
      readonly kind: "delete-runs" | "undelete-runs" | "purge-runs";
      readonly runs: readonly number[];
      readonly force?: true;
    }
  // Numbers that runs had which were never stored: no run will have them.
  | { readonly kind: "spend-numbers"; readonly runs: readonly number[] }
  // The findings that a check repaired, by code. A replay has nothing to repair.
  | { readonly kind: "mend"; readonly findings: readonly string[] }
  | { readonly kind: "delete-experiment" | "purge-experiment" }
  | { readonly kind: "undelete-experiment"; readonly name: string }
  | { readonly kind: "attach"; readonly attachment: StoredAttachment }
  | { readonly kind: "detach"; readonly name: string }
  | { readonly kind: "store-parameters"; readonly set: string; readonly contents: readonly StoredValue[] }
  | { readonly kind: "delete-parameters"; readonly set: string };

/**
 * The complete new description with the ids of its variables; the ids show which variables were added and removed.
 */
export interface DescribedChange {
  readonly kind: "create-experiment" | "update-experiment";
  readonly description: Experiment;
  readonly variables: readonly number[];
  readonly owner?: string;
  /** The experiment's identity across instances, unless it follows from its creation. */
  readonly uid?: Digest;
  /** The variables' identities across instances, unless they follow from their names. */
  readonly keys?: readonly string[];
  /** Stored numbers of variables with another unit were converted; absent: they were kept. */
  readonly converts?: true;
}

/**
 * Kinds of attachments: the roots of perfbase's descriptions, and frozen queries.
 */
export const attachmentKinds = ["experiment", "experiment_update", "input", "query", "frozen_query", "plot"] as const;

export interface StoredAttachment {
  readonly name: string;
  readonly kind: (typeof attachmentKinds)[number];
  readonly synopsis?: string;
  /** The source file. */
  readonly file?: string;
  readonly object: Digest;
  readonly creator?: string;
}

/** The value of a once parameter in the syntax of its type; null if it is missing. */
export interface StoredValue {
  readonly variable: number;
  readonly content: string | null;
}

export function encodeLedgerEntry(entry: LedgerEntry): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ ...entry, change: changeJson(entry.change) })}\n`);
}

/** The change as plain JSON; `changeOfJson` reads it back. */
export function changeJson(change: LedgerChange): object {
  switch (change.kind) {
    case "create-experiment":
    case "update-experiment":
      return { ...change, description: experimentJson(change.description) };
    case "import":
      return { ...change, how: importOptionsJson(change.how) };
    case "store-parameters":
      return {
        ...change,
        contents: change.contents.map(({ content, ...rest }) => (content === null ? rest : { ...rest, content })),
      };
    default:
      return change;
  }
}

/** The run numbers that the change used up; no later run may have them. */
export function numbersGiven(change: LedgerChange): readonly number[] {
  if (change.kind === "import") return change.runs.map(({ number }) => number);
  return change.kind === "spend-numbers" ? change.runs : [];
}

/** Fails with `ledger-damaged` and the errors of a description. */
export function decodeLedgerEntry(bytes: Uint8Array, object: string): LedgerEntry {
  const fields = JsonFields.parse(new TextDecoder().decode(bytes), object);
  return {
    schema: fields.word("schema", ["perfkeep.ledger/1"]),
    database: fields.text("database"),
    number: fields.number("number"),
    ...fields.optional("previous", (name) => fields.digest(name)),
    time: fields.time("time"),
    experiment: fields.number("experiment"),
    change: changeOfJson(fields.fields("change"), object),
    ...fields.optional("origin", (name) => fields.digest(name)),
    ...(fields.has("aside") ? { aside: true as const } : {}),
  };
}

/** Fails like `decodeLedgerEntry`; messages name `object`. */
export function changeOfJson(fields: JsonFields, object: string): LedgerChange {
  const kind = fields.text("kind");
  switch (kind) {
    case "create-experiment":
    case "update-experiment":
      return described(kind, fields);
    case "import":
      return importOf(fields);
    case "delete-runs":
    case "undelete-runs":
    case "purge-runs":
      return { kind, runs: fields.numbers("runs"), ...(fields.has("force") ? { force: true } : {}) };
    case "spend-numbers":
      return { kind, runs: fields.numbers("runs") };
    case "mend":
      return { kind, findings: fields.texts("findings") };
    case "delete-experiment":
    case "purge-experiment":
      return { kind };
    case "undelete-experiment":
    case "detach":
      return { kind, name: fields.text("name") };
    case "attach":
      return { kind, attachment: attachmentOf(fields.fields("attachment")) };
    case "store-parameters":
      return { kind, set: fields.text("set"), contents: fields.list("contents").map(storedValueOf) };
    case "delete-parameters":
      return { kind, set: fields.text("set") };
    default:
      throw new Failure("ledger-damaged", {
        entry: object,
        problem: `it is a change of unknown kind '${kind.slice(0, 40)}'`,
      });
  }
}

function described(kind: DescribedChange["kind"], fields: JsonFields): DescribedChange {
  const description = experimentOfJson(fields.fields("description"));
  const variables = fields.numbers("variables");
  return {
    kind,
    description,
    variables,
    ...fields.optional("owner", (name) => fields.text(name)),
    ...fields.optional("uid", (name) => fields.digest(name)),
    ...fields.optional("keys", (name) => fields.texts(name)),
    ...(fields.has("converts") ? { converts: true as const } : {}),
  };
}

function attachmentOf(fields: JsonFields): StoredAttachment {
  const text = (name: string): string => fields.text(name);
  return {
    name: fields.text("name"),
    kind: fields.word("kind", attachmentKinds),
    ...fields.optional("synopsis", text),
    ...fields.optional("file", text),
    object: fields.digest("object"),
    ...fields.optional("creator", text),
  };
}

function storedValueOf(fields: JsonFields): StoredValue {
  return { variable: fields.number("variable"), content: fields.has("content") ? fields.text("content") : null };
}
