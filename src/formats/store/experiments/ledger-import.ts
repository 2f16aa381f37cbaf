import type { Digest } from "../../../core/versions/index.ts";
import type { JsonFields } from "../../json/index.ts";

/** An import with everything required to repeat it from the objects. */
export interface ImportChange {
  readonly kind: "import";
  readonly how: ImportHow;
  readonly inputs: readonly ImportedInput[];
  readonly runs: readonly ImportedRunFacts[];
  readonly force: boolean;
}

/** Import options other than descriptions and files. */
export interface ImportHow {
  /** The importer of the files; absent if descriptions were used. */
  readonly from?: string;
  /** Options of that importer. */
  readonly options?: readonly (readonly [name: string, value: string])[];
  /** All files were read as one input. */
  readonly joined: boolean;
  /** The files of one run were read one after the other. */
  readonly sequential: boolean;
  readonly fixed: readonly (readonly [name: string, value: string])[];
  /** The policy for missing values, by name. */
  readonly missing: string;
  /** The policy for variables that no description defines, by name. */
  readonly missingDefinition?: string;
  /** Parameters of rows may be missing. */
  readonly cells?: "ignore";
  /** The user's answers to prompts, in order. */
  readonly answers?: readonly string[];
  readonly encoding?: string;
  /** The language whose notation of numbers applied where the descriptions did not say it. */
  readonly locale?: string;
}

/** A file and its description, in command line order. */
export interface ImportedInput {
  readonly path: string;
  readonly sha256: string;
  readonly object: Digest;
  readonly bytes: number;
  readonly modified?: number;
  readonly description?: Digest;
  /** Numbers of the runs read from it. Inputs of the same runs were read together. */
  readonly runs: readonly number[];
}

export interface ImportedRunFacts {
  readonly number: number;
  readonly created: number;
  readonly performed: number;
  readonly performer?: string;
  readonly label?: string;
  readonly synopsis?: string;
  readonly version?: string;
  readonly dirty?: boolean;
  readonly description?: Digest;
  /** Its number in the original import, if different. */
  readonly was?: number;
}

/** The options as plain JSON. */
export function importOptionsJson({ fixed, options, ...how }: ImportHow): object {
  const named = (list: ImportHow["fixed"]): object[] => list.map(([name, value]) => ({ name, content: value }));
  const { from, joined, sequential, ...rest } = how;
  return {
    from,
    ...(options === undefined ? {} : { options: named(options) }),
    joined,
    sequential,
    fixed: named(fixed),
    ...rest,
  };
}

/** Fails with `ledger-damaged`. */
export function importOf(fields: JsonFields): ImportChange {
  return {
    kind: "import",
    how: howOf(fields.fields("how")),
    inputs: fields.list("inputs").map(inputOf),
    runs: fields.list("runs").map(runOf),
    force: fields.flag("force"),
  };
}

function howOf(fields: JsonFields): ImportHow {
  return {
    ...fields.optional("from", (name) => fields.text(name)),
    ...fields.optional("options", (name) => namedValues(fields, name)),
    joined: fields.flag("joined"),
    sequential: fields.flag("sequential"),
    fixed: namedValues(fields, "fixed"),
    missing: fields.text("missing"),
    ...fields.optional("missingDefinition", (name) => fields.text(name)),
    ...fields.optional("cells", (name) => fields.word(name, ["ignore"] as const)),
    ...fields.optional("answers", (name) => fields.texts(name)),
    ...fields.optional("encoding", (name) => fields.text(name)),
    ...fields.optional("locale", (name) => fields.text(name)),
  };
}

function namedValues(fields: JsonFields, list: string): (readonly [name: string, value: string])[] {
  return fields.list(list).map((each) => [each.text("name"), each.text("content")] as const);
}

function inputOf(fields: JsonFields): ImportedInput {
  return {
    path: fields.text("path"),
    sha256: fields.text("sha256"),
    object: fields.digest("object"),
    bytes: fields.number("bytes"),
    ...fields.optional("modified", (name) => fields.time(name)),
    ...fields.optional("description", (name) => fields.digest(name)),
    runs: fields.numbers("runs"),
  };
}

function runOf(fields: JsonFields): ImportedRunFacts {
  const text = (name: string): string => fields.text(name);
  return {
    number: fields.number("number"),
    created: fields.time("created"),
    performed: fields.time("performed"),
    ...fields.optional("performer", text),
    ...fields.optional("label", text),
    ...fields.optional("synopsis", text),
    ...fields.optional("version", text),
    ...fields.optional("dirty", (name) => fields.flag(name)),
    ...fields.optional("description", (name) => fields.digest(name)),
    ...fields.optional("was", (name) => fields.number(name)),
  };
}
