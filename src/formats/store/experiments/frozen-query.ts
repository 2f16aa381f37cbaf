import { Failure, isFailure } from "../../../core/failures/index.ts";
import { JsonFields } from "../../json/index.ts";

/**
 * A reproducible query: the resolved request and the runs it used. Stored as an attachment of the experiment, as one
 * line of JSON with the keys in this order.
 */
export interface FrozenQuery {
  readonly schema: "perfkeep.frozen-query/1";
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly asked: FrozenOptions | FrozenGraph;
  /** The variables of the experiment, in order. */
  readonly variables: readonly FrozenVariable[];
  /** The runs that contribute to the answer, by number. */
  readonly runs: readonly FrozenRun[];
}

/** A query given by command line options. */
export interface FrozenOptions {
  readonly kind: "question";
  readonly results: readonly string[];
  readonly by: readonly string[];
  readonly where: readonly string[];
  /** In `where`, `~` is a pattern. Absent in queries frozen when it was a part of the text. */
  readonly patterns?: true;
  readonly statistics: readonly string[];
  readonly sort: readonly string[];
  readonly limit?: number;
  /** Commits of the runs in history order, with requested labels. */
  readonly commits: readonly FrozenCommit[];
}

export interface FrozenCommit {
  readonly id: string;
  readonly label?: string;
}

/** A query description in the text syntax, without macros. */
export interface FrozenGraph {
  readonly kind: "graph";
  readonly description: string;
  readonly compat?: "perfbase";
  /** The measured commits that each commit selection (`choiceKey`) resolved to. */
  readonly choices: readonly { readonly choice: string; readonly versions: readonly string[] }[];
}

export interface FrozenVariable {
  readonly name: string;
  readonly type: string;
  /** In unit syntax; empty without a unit. */
  readonly unit: string;
}

export interface FrozenRun {
  readonly number: number;
  /** Digest of the run's values of the variables that the query uses. */
  readonly sha256: string;
}

export function encodeFrozenQuery(frozen: FrozenQuery): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(frozen)}\n`);
}

/** Fails with `frozen-query-damaged`, which names the attachment `name`. */
export function decodeFrozenQuery(bytes: Uint8Array, name: string): FrozenQuery {
  try {
    const fields = JsonFields.parse(new TextDecoder().decode(bytes), name);
    return {
      schema: fields.word("schema", ["perfkeep.frozen-query/1"]),
      time: fields.time("time"),
      asked: requestOf(fields.fields("asked")),
      variables: fields
        .list("variables")
        .map((each) => ({ name: each.text("name"), type: each.text("type"), unit: each.text("unit") })),
      runs: fields.list("runs").map((each) => ({ number: each.number("number"), sha256: each.text("sha256") })),
    };
  } catch (error) {
    if (!isFailure(error, "ledger-damaged")) throw error;
    throw new Failure("frozen-query-damaged", { name, problem: error.data["problem"] }, error);
  }
}

function requestOf(fields: JsonFields): FrozenQuery["asked"] {
  if (fields.word("kind", ["question", "graph"]) === "graph") {
    const compat = fields.optional("compat", (name) => fields.word(name, ["perfbase"] as const));
    const choices = fields
      .list("choices")
      .map((each) => ({ choice: each.text("choice"), versions: each.texts("versions") }));
    return { kind: "graph", description: fields.text("description"), ...compat, choices };
  }
  return {
    kind: "question",
    results: fields.texts("results"),
    by: fields.texts("by"),
    where: fields.texts("where"),
    ...(fields.has("patterns") ? { patterns: true as const } : {}),
    statistics: fields.texts("statistics"),
    sort: fields.texts("sort"),
    ...fields.optional("limit", (name) => fields.number(name)),
    commits: fields
      .list("commits")
      .map((each) => ({ id: each.text("id"), ...each.optional("label", (name) => each.text(name)) })),
  };
}
