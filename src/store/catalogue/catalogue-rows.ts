import type { Experiment, ExperimentComments } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { formatUnit, parseUnit, type Value, dataTypes, formatValue, parseValue } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ImportedInput, ImportedRunFacts } from "../../formats/store/index.ts";
import { number, text, time, type Columns, textAt, type Row } from "../schema/index.ts";

export const experimentColumns: Columns = [
  number("id"),
  ...[
    "name",
    "name_key",
    "synopsis",
    "description",
    "performed_by",
    "organization",
    "project",
    "database_host",
    "database_name",
  ].map(text),
  number("database_port"),
  time("created"),
  time("modified"),
  ...["database_user", "owner", "comments"].map(text),
];

/** `now`: microseconds since 1970-01-01T00:00:00Z. */
export function experimentRow(id: number, e: Experiment, owner: string | null, now: number): Value[] {
  const about = [
    e.synopsis,
    e.description,
    e.performedBy,
    e.organization,
    e.project,
    e.database?.host,
    e.database?.name,
  ];
  return [
    id,
    e.name,
    e.name.toLowerCase(),
    ...about.map((each) => each ?? null),
    e.database?.port ?? null,
    now,
    now,
    e.database?.user ?? null,
    owner,
    commentsText(e),
  ];
}

/** The comments of an experiment as JSON. */
export function commentsText({ comments }: Experiment): string | null {
  return comments === undefined ? null : JSON.stringify(comments);
}

/** The rights that an experiment grants by name. */
export function grantsOf({ readers, writers, admins = [] }: Experiment): (readonly [right: string, who: string])[] {
  const grants = (right: string, names: readonly string[]): (readonly [string, string])[] =>
    names.map((who) => [right, who]);
  return [...grants("read", readers), ...grants("write", writers), ...grants("admin", admins)];
}

export const variableColumns: Columns = [
  number("id"),
  number("experiment"),
  number("ordinal"),
  ...["name", "role", "occurrence", "type"].map(text),
  number("size"),
  ...["unit", "fallback", "default_content", "synopsis", "description", "better"].map(text),
  number("longest"),
  ["is_numeric", "boolean"],
];

export function variableRow(experiment: number, id: number, ordinal: number, v: Variable): Value[] {
  const fallback = v.default === undefined ? "none" : v.default === null ? "null" : "content";
  const value = v.default === undefined || v.default === null ? null : formatValue(v.default, v.type);
  const unit = v.unit === undefined ? null : formatUnit(v.unit);
  const described = [v.synopsis ?? null, v.description ?? null, v.better ?? null];
  return [
    id,
    experiment,
    ordinal,
    v.name,
    v.role,
    v.occurrence,
    v.type,
    v.size ?? null,
    unit,
    fallback,
    value,
    ...described,
    v.longest ?? null,
    v.numeric ?? null,
  ];
}

export const validColumns: Columns = [number("variable"), number("ordinal"), text("content")];

/** Omits null, which has no text. */
export function validRows(id: number, variable: Variable): Value[][] {
  const values = (variable.valid ?? []).filter((value) => value !== null);
  return values.map((value, ordinal) => [id, ordinal, formatValue(value, variable.type)]);
}

export function experimentOf(row: Row, variables: readonly Variable[], access: readonly Row[]): Experiment {
  const names = (kind: string): string[] =>
    access.filter((each) => each.get("kind") === kind).map((each) => String(each.get("who")));
  return {
    name: String(row.get("name")),
    ...textAt(row, "synopsis", "synopsis"),
    ...textAt(row, "description", "description"),
    ...textAt(row, "performed_by", "performedBy"),
    ...textAt(row, "organization", "organization"),
    ...textAt(row, "project", "project"),
    ...databaseOf(row),
    readers: names("read"),
    writers: names("write"),
    ...(names("admin").length > 0 ? { admins: names("admin") } : {}),
    ...commentsOf(row),
    variables,
  };
}

function commentsOf(row: Row): Pick<Experiment, "comments"> {
  const comments = row.get("comments");
  return typeof comments === "string" ? { comments: JSON.parse(comments) as ExperimentComments } : {};
}

function databaseOf(row: Row): { database?: NonNullable<Experiment["database"]> } {
  const name = row.get("database_name");
  const port = row.get("database_port");
  if (typeof name !== "string") return {};
  const server = {
    ...textAt(row, "database_host", "host"),
    ...(typeof port === "number" ? { port } : {}),
    ...textAt(row, "database_user", "user"),
  };
  return { database: { ...server, name } };
}

/** Fails with `database-damaged` if the row has a word that no program writes. */
export function variableOf(row: Row, validValues: readonly Row[]): Variable {
  const name = String(row.get("name"));
  const type = wordIn(row, "type", dataTypes);
  const read = (text: Value): Value => parseValue(String(text), { name, type });
  const size = Number(row.get("size"));
  const [unit, longest] = [row.get("unit"), row.get("longest")];
  const valid = validValues
    .filter((each) => each.get("variable") === row.get("id"))
    .map((each) => read(each.get("content") ?? ""));
  const fallback = wordIn(row, "fallback", ["none", "null", "content"]);
  return {
    name,
    role: wordIn(row, "role", ["parameter", "result"]),
    occurrence: wordIn(row, "occurrence", ["once", "multiple"]),
    type,
    ...(size === 2 || size === 4 || size === 8 ? { size } : {}),
    ...(typeof longest === "number" ? { longest } : {}),
    ...(typeof unit === "string" ? { unit: parseUnit(unit) } : {}),
    ...(fallback === "null" ? { default: null } : {}),
    ...(fallback === "content" ? { default: read(row.get("default_content") ?? "") } : {}),
    ...(valid.length > 0 ? { valid } : {}),
    ...textAt(row, "synopsis", "synopsis"),
    ...textAt(row, "description", "description"),
    ...(row.get("is_numeric") === true ? { numeric: true } : {}),
    ...(row.get("better") === null ? {} : { better: wordIn(row, "better", ["lower", "higher"]) }),
  };
}

function wordIn<W extends string>(row: Row, column: string, words: readonly W[]): W {
  const word = words.find((each) => each === row.get(column));
  if (word !== undefined) return word;
  throw new Failure("database-damaged", { reason: `a variable has the ${column} '${row.get(column)}'` });
}

export const runColumns: Columns = [
  number("experiment"),
  number("number"),
  text("version"),
  ["dirty", "boolean"],
  time("created"),
  time("performed"),
  ...["performer", "label", "synopsis", "description"].map(text),
  number("data_sets"),
  ["active", "boolean"],
];

export function runRow(
  experiment: number,
  run: number,
  facts: Omit<ImportedRunFacts, "number">,
  rowCount: number,
): Value[] {
  const texts = [facts.performer, facts.label, facts.synopsis, facts.description].map((each) => each ?? null);
  return [
    experiment,
    run,
    facts.version ?? null,
    facts.dirty ?? null,
    facts.created,
    facts.performed,
    ...texts,
    rowCount,
    true,
  ];
}

export const sourceColumns: Columns = [
  number("experiment"),
  number("run"),
  number("ordinal"),
  ...["path", "sha256", "object"].map(text),
  number("bytes"),
  time("modified"),
  text("description"),
];

/** `ordinal`: position among the inputs of the run, from 0. */
export function sourceRow(
  experiment: number,
  run: number,
  ordinal: number,
  source: Omit<ImportedInput, "runs">,
): Value[] {
  return [
    experiment,
    run,
    ordinal,
    source.path,
    source.sha256,
    source.object,
    source.bytes,
    source.modified ?? null,
    source.description ?? null,
  ];
}
