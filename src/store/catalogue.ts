import { Failure } from "../core/errors.ts";
import type { Experiment } from "../core/experiment.ts";
import { nearest } from "../core/near-names.ts";
import { tableOf } from "../core/table-builder.ts";
import { formatUnit, parseUnit } from "../core/unit.ts";
import { dataTypes, formatValue, parseValue, type Value } from "../core/value.ts";
import type { Variable } from "../core/variable.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import { number, recordsOf, text, textAt, time, variablesOf, type Columns, type Row } from "./rows.ts";
import { dropExperimentTables, experimentTables } from "./schema.ts";

/** An experiment as the database keeps it. Ids are numbers of ours, good for SQL names. */
export interface StoredExperiment {
  readonly id: number;
  readonly experiment: Experiment;
  /** Ids of the experiment's variables, parallel to them. */
  readonly variableIds: readonly number[];
}

/** Fails with `experiment-exists`; names are compared without regard to case. */
export async function insertExperiment(engine: Engine, experiment: Experiment, now: number): Promise<StoredExperiment> {
  return engine.transaction(async () => {
    const known = await engine.query("select name from experiment where name_key = $1", [experiment.name.toLowerCase()]);
    if (known.length > 0) throw new Failure("experiment-exists", { experiment: experiment.name });
    const id = await nextId(engine, "experiment_ids");
    const variableIds: number[] = [];
    for (const _ of experiment.variables) variableIds.push(await nextId(engine, "variable_ids"));
    await appendRows(engine, "experiment", experimentColumns, [experimentRow(id, experiment, now)]);
    await appendRows(engine, "access", accessColumns, accessRows(id, experiment));
    await appendRows(
      engine,
      "variable",
      variableColumns,
      experiment.variables.map((v, i) => variableRow(id, variableIds[i] as number, i, v)),
    );
    await appendRows(
      engine,
      "valid_content",
      validColumns,
      experiment.variables.flatMap((v, i) => validRows(variableIds[i] as number, v)),
    );
    for (const statement of experimentTables(engine, id, experiment.variables, variableIds)) await engine.execute(statement);
    return { id, experiment, variableIds };
  });
}

/** Fails with `unknown-experiment`, which lists near names. */
export async function findExperiment(engine: Engine, name: string): Promise<StoredExperiment> {
  const [row] = recordsOf(await engine.query("select * from experiment where name_key = $1", [name.toLowerCase()]));
  if (row === undefined) throw await unknownExperiment(engine, name);
  const id = Number(row.get("id"));
  const variables = recordsOf(await engine.query("select * from variable where experiment = $1 order by ordinal", [id]));
  const contents = recordsOf(
    await engine.query(
      "select c.variable, c.content from valid_content c join variable v on v.id = c.variable where v.experiment = $1 order by c.ordinal",
      [id],
    ),
  );
  const access = recordsOf(await engine.query("select kind, who from access where experiment = $1 order by ordinal", [id]));
  return {
    id,
    experiment: experimentOf(
      row,
      variables.map((variable) => variableOf(variable, contents)),
      access,
    ),
    variableIds: variables.map((variable) => Number(variable.get("id"))),
  };
}

async function unknownExperiment(engine: Engine, name: string): Promise<Failure> {
  const names = recordsOf(await engine.query("select name from experiment order by name")).map((row) => String(row.get("name")));
  return new Failure("unknown-experiment", { experiment: name, near: nearest(name, names).join(", ") });
}

/** Removes an experiment with all its runs. */
export async function dropExperiment(engine: Engine, { id }: StoredExperiment): Promise<void> {
  await engine.transaction(async () => {
    for (const statement of dropExperimentTables(id)) await engine.execute(statement);
    await engine.execute("delete from valid_content where variable in (select id from variable where experiment = $1)", [id]);
    for (const table of ["variable", "access", "source", "claim", "run"])
      await engine.execute(`delete from ${table} where experiment = $1`, [id]);
    await engine.execute("delete from experiment where id = $1", [id]);
  });
}

export async function nextId(engine: Engine, sequence: string): Promise<number> {
  const [row] = recordsOf(await engine.query(`select nextval('${sequence}') as id`));
  return Number(row?.get("id"));
}

export async function appendRows(engine: Engine, table: string, columns: Columns, rows: readonly (readonly Value[])[]): Promise<void> {
  await engine.append(
    table,
    columns.map(([name]) => name),
    tableOf(variablesOf(columns), rows),
  );
}

const experimentColumns: Columns = [
  number("id"),
  ...["name", "name_key", "synopsis", "description", "performed_by", "organization", "project", "database_host", "database_name"].map(text),
  number("database_port"),
  time("created"),
  time("modified"),
];

function experimentRow(id: number, e: Experiment, now: number): Value[] {
  const about = [e.synopsis, e.description, e.performedBy, e.organization, e.project, e.database?.host, e.database?.name];
  return [id, e.name, e.name.toLowerCase(), ...about.map((each) => each ?? null), e.database?.port ?? null, now, now];
}

const accessColumns: Columns = [number("experiment"), text("kind"), number("ordinal"), text("who")];

function accessRows(id: number, experiment: Experiment): Value[][] {
  const rows = (kind: string, names: readonly string[]): Value[][] => names.map((who, ordinal) => [id, kind, ordinal, who]);
  return [...rows("read", experiment.readers), ...rows("write", experiment.writers)];
}

const variableColumns: Columns = [
  number("id"),
  number("experiment"),
  number("ordinal"),
  ...["name", "role", "occurrence", "type"].map(text),
  number("size"),
  ...["unit", "fallback", "default_content", "synopsis", "description", "better"].map(text),
];

function variableRow(experiment: number, id: number, ordinal: number, v: Variable): Value[] {
  const fallback = v.default === undefined ? "none" : v.default === null ? "null" : "content";
  const content = v.default === undefined || v.default === null ? null : formatValue(v.default, v.type);
  const unit = v.unit === undefined ? null : formatUnit(v.unit);
  const described = [v.synopsis ?? null, v.description ?? null, v.better ?? null];
  return [id, experiment, ordinal, v.name, v.role, v.occurrence, v.type, v.size ?? null, unit, fallback, content, ...described];
}

const validColumns: Columns = [number("variable"), number("ordinal"), text("content")];

/** A null among the valid contents has no text. */
function validRows(id: number, variable: Variable): Value[][] {
  const contents = (variable.valid ?? []).filter((content) => content !== null);
  return contents.map((content, ordinal) => [id, ordinal, formatValue(content, variable.type)]);
}

function experimentOf(row: Row, variables: readonly Variable[], access: readonly Row[]): Experiment {
  const names = (kind: string): string[] => access.filter((each) => each.get("kind") === kind).map((each) => String(each.get("who")));
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
    variables,
  };
}

function databaseOf(row: Row): { database?: NonNullable<Experiment["database"]> } {
  const name = row.get("database_name");
  const port = row.get("database_port");
  if (typeof name !== "string") return {};
  return { database: { ...textAt(row, "database_host", "host"), ...(typeof port === "number" ? { port } : {}), name } };
}

function variableOf(row: Row, contents: readonly Row[]): Variable {
  const type = dataTypes.find((each) => each === row.get("type")) ?? "text";
  const name = String(row.get("name"));
  const read = (content: Value): Value => parseValue(String(content), { name, type });
  const size = Number(row.get("size"));
  const unit = row.get("unit");
  const valid = contents.filter((each) => each.get("variable") === row.get("id")).map((each) => read(each.get("content") ?? ""));
  const fallback = row.get("fallback");
  return {
    name,
    role: row.get("role") === "result" ? "result" : "parameter",
    occurrence: row.get("occurrence") === "once" ? "once" : "multiple",
    type,
    ...(size === 2 || size === 4 || size === 8 ? { size } : {}),
    ...(typeof unit === "string" ? { unit: parseUnit(unit) } : {}),
    ...(fallback === "null" ? { default: null } : {}),
    ...(fallback === "content" ? { default: read(row.get("default_content") ?? "") } : {}),
    ...(valid.length > 0 ? { valid } : {}),
    ...textAt(row, "synopsis", "synopsis"),
    ...textAt(row, "description", "description"),
    ...(row.get("better") === "lower" || row.get("better") === "higher" ? { better: row.get("better") as "lower" | "higher" } : {}),
  };
}
