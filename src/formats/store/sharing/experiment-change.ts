import { isVersionId, type Digest } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { isStorableTime } from "../../../core/values/index.ts";
import type { Experiment } from "../../../core/experiments/index.ts";
import { findVariable, isName, mostVariables } from "../../../core/variables/index.ts";
import { experimentJson, experimentOfJson } from "../experiments/experiment-json.ts";
import { JsonFields } from "../../json/index.ts";
import { changeJson, changeOfJson, type StoredAttachment, type LedgerChange } from "../experiments/ledger.ts";
import type { ImportChange } from "../experiments/ledger-import.ts";
import { encodeObject } from "../object.ts";

/**
 * One change of an experiment as exchanged between instances: JSON, one line, keys in this order. It is independent of
 * the ids of a database: variables have keys, and runs and attachments are identified by the change that added them.
 */
export interface SharedChange {
  /** The experiment's identity, equal in all instances. */
  readonly experiment: Digest;
  /**
   * The entry of the change in the ledger of its instance. Only one of several changes with the same origin applies.
   */
  readonly origin: Digest;
  /**
   * Time of first sharing, later than all changes of the experiment known to that instance; microseconds since
   * 1970-01-01T00:00:00Z. Changes are applied in this order.
   */
  readonly sent: number;
  /** Time of the change; microseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly what: SharedChangeBody;
}

export type SharedChangeBody =
  | { readonly kind: "create-experiment"; readonly description: Experiment; readonly keys: readonly string[] }
  | SharedUpdate
  /** Run numbers are those of the importing instance; other instances use them if they are free. */
  | ImportChange
  | {
      readonly kind: "delete-runs" | "undelete-runs" | "purge-runs";
      readonly runs: readonly SharedRun[];
      readonly force?: true;
    }
  | { readonly kind: "delete-experiment" }
  | { readonly kind: "purge-experiment" }
  | { readonly kind: "undelete-experiment"; readonly name: string }
  | { readonly kind: "attach"; readonly attachment: StoredAttachment }
  | { readonly kind: "detach"; readonly attached: Digest }
  | { readonly kind: "store-parameters"; readonly set: string; readonly contents: readonly SharedValue[] }
  | { readonly kind: "delete-parameters"; readonly set: string };

/** Only the parts that an update changed, so that concurrent updates can be merged. */
export interface SharedUpdate {
  readonly kind: "update-experiment";
  /** The experiment afterwards with only the new and changed variables. */
  readonly description: Experiment;
  /** The keys of those variables. */
  readonly keys: readonly string[];
  /** The keys that are new. */
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  /** Other changed fields. */
  readonly fields: readonly SharedField[];
  /** Stored numbers of variables with another unit are converted; absent: they are kept. */
  readonly converts?: true;
}

/** The fields of an experiment except its variables. */
export const sharedFields = [
  "name",
  "synopsis",
  "description",
  "performedBy",
  "organization",
  "project",
  "readers",
  "writers",
  "admins",
  "comments",
] as const;
export type SharedField = (typeof sharedFields)[number];

/** A run, identified by its import and its number in it. */
export interface SharedRun {
  readonly origin: Digest;
  readonly number: number;
}

/** The value of a once parameter in the syntax of its type; null if it is missing. */
export interface SharedValue {
  readonly key: string;
  readonly content: string | null;
}

const schema = "perfkeep.shared-change/1";

export function encodeSharedChange({ what, ...common }: SharedChange): Uint8Array {
  const { experiment, origin, sent, time } = common;
  return new TextEncoder().encode(
    `${JSON.stringify({ schema, experiment, origin, sent, time, what: bodyJson(what) })}\n`,
  );
}

/** The identity of a shared change. */
export function sharedChangeDigest(encoded: Uint8Array): Digest {
  return encodeObject("attachment", "shared-change", encoded).digest;
}

function bodyJson(what: SharedChangeBody): object {
  switch (what.kind) {
    case "create-experiment":
    case "update-experiment":
      return { ...what, description: experimentJson(what.description) };
    case "import":
      return changeJson(what);
    case "store-parameters":
      return {
        ...what,
        contents: what.contents.map(({ key, content }) => (content === null ? { key } : { key, content })),
      };
    default:
      return what;
  }
}

/** Validates untrusted bytes. Fails with `ledger-damaged` and the errors of a description. */
export function decodeSharedChange(bytes: Uint8Array, named: string): SharedChange {
  const fields = JsonFields.parse(new TextDecoder().decode(bytes), named);
  fields.word("schema", [schema]);
  const [sent, time] = [fields.number("sent"), fields.time("time")];
  if (!isStorableTime(sent) || !isStorableTime(time)) throw wrong(named, "its times are none");
  return {
    experiment: fields.digest("experiment"),
    origin: fields.digest("origin"),
    sent,
    time,
    what: bodyOf(fields.fields("what"), named),
  };
}

function bodyOf(fields: JsonFields, named: string): SharedChangeBody {
  const kind = fields.text("kind");
  switch (kind) {
    case "create-experiment":
      return { kind, ...describedOf(fields, named) };
    case "update-experiment":
      return {
        kind,
        ...describedOf(fields, named),
        added: fields.texts("added"),
        dropped: fields.texts("dropped"),
        fields: sharedFields.filter((field) => fields.texts("fields").includes(field)),
        ...(fields.has("converts") ? { converts: true as const } : {}),
      };
    case "delete-runs":
    case "undelete-runs":
    case "purge-runs":
      return { kind, runs: fields.list("runs").map(runOf), ...(fields.has("force") ? { force: true } : {}) };
    case "detach":
      return { kind, attached: fields.digest("attached") };
    case "store-parameters":
      return { kind, set: validName(fields.text("set"), named), contents: fields.list("contents").map(sharedValueOf) };
    case "import":
    case "attach":
    case "delete-experiment":
    case "purge-experiment":
    case "undelete-experiment":
    case "delete-parameters":
      return requireValidNames(changeOfJson(fields, named), named);
    default:
      throw wrong(named, `it is a change of unknown kind '${kind.slice(0, 40)}'`);
  }
}

function describedOf(
  fields: JsonFields,
  named: string,
): { readonly description: Experiment; readonly keys: readonly string[] } {
  const description = experimentOfJson(fields.fields("description"));
  const keys = fields.texts("keys");
  const { name, variables } = description;
  if (!isName(name)) throw wrong(named, "its experiment has no proper name");
  if (variables.length > mostVariables) throw wrong(named, `it has more than ${mostVariables} variables`);
  for (const [at, variable] of variables.entries())
    if (!isName(variable.name) || findVariable(variables.slice(0, at), variable.name))
      throw wrong(named, "a variable has no proper name");
  if (keys.length !== variables.length || new Set(keys).size !== keys.length || keys.some((key) => key.length > 256))
    throw wrong(named, "its keys are none of its variables");
  return { description, keys };
}

/** Validates the names in a change that is encoded as in a ledger. */
function requireValidNames(change: LedgerChange, named: string): SharedChangeBody {
  if (change.kind === "import") requireValidImport(change, named);
  else if (change.kind === "undelete-experiment" && !isName(change.name))
    throw wrong(named, "its experiment has no proper name");
  else if (change.kind === "attach") validName(change.attachment.name, named);
  else if (change.kind === "delete-parameters") validName(change.set, named);
  return change as SharedChangeBody;
}

/** Requires that every run has an input and occurs once. */
function requireValidImport({ inputs, runs }: ImportChange, named: string): void {
  const numbers = runs.map(({ number }) => number);
  const given = new Set(inputs.flatMap((input) => input.runs));
  if (
    numbers.some((number, at) => number <= (numbers[at - 1] ?? 0) || !given.has(number)) ||
    given.size !== numbers.length
  )
    throw wrong(named, "its runs are not those of its inputs");
  for (const { version } of runs)
    if (version !== undefined && !isVersionId(version)) throw wrong(named, "a run has no proper version");
  for (const { sha256, bytes, path } of inputs)
    if (!/^[0-9a-f]{64}$/.test(sha256) || bytes < 0 || path.includes("\0"))
      throw wrong(named, "one of its inputs is none");
}

function validName(text: string, named: string): string {
  if (text === "" || text.length > 256 || /\p{Cc}/u.test(text)) throw wrong(named, "something has no proper name");
  return text;
}

function runOf(fields: JsonFields): SharedRun {
  return { origin: fields.digest("origin"), number: fields.number("number") };
}

function sharedValueOf(fields: JsonFields): SharedValue {
  return { key: fields.text("key"), content: fields.has("content") ? fields.text("content") : null };
}

function wrong(named: string, problem: string): Failure {
  return new Failure("ledger-damaged", { entry: named, problem });
}
