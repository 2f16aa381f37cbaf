import { commentedKeywords, type Experiment, type ExperimentComments } from "../../../core/experiments/index.ts";
import { formatUnit, parseUnit, dataTypes, formatValue, parseValue, type Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { JsonFields } from "../../json/index.ts";

/**
 * The experiment as plain JSON: values are texts in the syntax of their type, units are names. `experimentOfJson` reads
 * it back.
 */
export function experimentJson({ variables, ...about }: Experiment): object {
  return { ...about, variables: variables.map(variableJson) };
}

function variableJson({ unit, default: fallback, valid, ...plain }: Variable): object {
  return {
    ...plain,
    ...(unit === undefined ? {} : { unit: formatUnit(unit) }),
    ...(fallback === undefined ? {} : { default: fallback === null ? [] : [formatValue(fallback, plain.type)] }),
    ...(valid === undefined ? {} : { valid: valid.map((value) => formatValue(value, plain.type)) }),
  };
}

/** Fails with `ledger-damaged`, `unknown-unit`, `bad-content`. */
export function experimentOfJson(fields: JsonFields): Experiment {
  const text = (name: string): string => fields.text(name);
  const texts = (name: string): string[] => fields.texts(name);
  return {
    name: fields.text("name"),
    ...fields.optional("synopsis", text),
    ...fields.optional("description", text),
    ...fields.optional("performedBy", text),
    ...fields.optional("organization", text),
    ...fields.optional("project", text),
    ...fields.optional("database", (name) => databaseOf(fields.fields(name))),
    readers: fields.texts("readers"),
    writers: fields.texts("writers"),
    ...fields.optional("admins", texts),
    ...fields.optional("comments", (name) => experimentCommentsOf(fields.fields(name))),
    variables: fields.list("variables").map(variableOf),
  };
}

/** Ignores unknown keywords. */
function experimentCommentsOf(fields: JsonFields): ExperimentComments {
  const texts = commentedKeywords.flatMap((keyword) =>
    fields.has(keyword) ? [[keyword, fields.text(keyword)] as const] : [],
  );
  return Object.fromEntries(texts);
}

function databaseOf(fields: JsonFields): NonNullable<Experiment["database"]> {
  return {
    ...fields.optional("host", (name) => fields.text(name)),
    ...fields.optional("port", (name) => fields.number(name)),
    ...fields.optional("user", (name) => fields.text(name)),
    name: fields.text("name"),
  };
}

function variableOf(fields: JsonFields): Variable {
  const type = fields.word("type", dataTypes);
  const name = fields.text("name");
  const values = (field: string): readonly Value[] =>
    fields.texts(field).map((text) => parseValue(text, { name, type }));
  return {
    name,
    role: fields.word("role", ["parameter", "result"]),
    occurrence: fields.word("occurrence", ["once", "multiple"]),
    type,
    ...fields.optional("size", (field) => sizeOf(fields.number(field))),
    ...fields.optional("longest", (field) => fields.number(field)),
    ...fields.optional("unit", (field) => parseUnit(fields.text(field))),
    ...fields.optional("default", (field) => values(field)[0] ?? null),
    ...fields.optional("valid", values),
    ...fields.optional("synopsis", (field) => fields.text(field)),
    ...fields.optional("description", (field) => fields.text(field)),
    ...(fields.has("numeric") ? { numeric: true as const } : {}),
    ...fields.optional("better", (field) => fields.word(field, ["lower", "higher"] as const)),
  };
}

function sizeOf(bytes: number): 2 | 4 | 8 {
  return bytes === 2 || bytes === 4 ? bytes : 8;
}
