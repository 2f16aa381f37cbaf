import { createHash } from "node:crypto";
import { tableOf, type Column, type Table } from "../../core/tables/index.ts";
import { compareValues, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { nameInDumps, dumpMemberName, type DumpTable, encodeRows, experimentJson } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  listAttachments,
  experimentById,
  type StoredExperiment,
  runColumns,
  sourceColumns,
} from "../catalogue/index.ts";
import { ordinalSpans, exportSlices, type RunSpan, RowBudget } from "../export/index.ts";
import {
  number,
  recordsOf,
  text,
  time,
  variablesOf,
  type Columns,
  columnName,
  dataTable,
  onceTable,
  versionOfKey,
  isOneOf,
} from "../schema/index.ts";

/** A member of a dump that holds data of an experiment. */
export interface ExperimentMember {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Rows of an experiment's own table in database encoding; only in the first of the members that share them. */
  readonly stored?: Table;
}

/** Columns of the small tables; those of an experiment's own tables follow from its variables. */
export const dumpColumns = {
  attachments: [
    text("name"),
    text("kind"),
    text("synopsis"),
    text("file"),
    text("object"),
    text("creator"),
    time("created"),
  ],
  "parameter-sets": [text("name")],
  // `variable`: 0-based index of the variable in the experiment.
  "parameter-set-contents": [text("set"), number("variable"), text("content")],
  claims: [text("sha256")],
  runs: runColumns.slice(1),
  sources: sourceColumns.slice(1),
} satisfies Readonly<Record<Exclude<DumpTable, "once" | "data">, Columns>>;

/** The columns of an experiment's own table: the run (and the ordinal), then the variables. */
export function ownVariables({ experiment }: StoredExperiment, table: "once" | "data"): Variable[] {
  const occurrence = table === "once" ? "once" : "multiple";
  const keys = variablesOf(table === "once" ? [number("run")] : [number("run"), number("ordinal")]);
  return [...keys, ...experiment.variables.filter((variable) => variable.occurrence === occurrence)];
}

/** The SQL names of `ownVariables`. */
export function ownColumns({ experiment, variableIds }: StoredExperiment, table: "once" | "data"): string[] {
  const occurrence = table === "once" ? "once" : "multiple";
  const names = experiment.variables.flatMap((v, at) =>
    v.occurrence === occurrence ? [columnName(variableIds[at] as number)] : [],
  );
  return [...(table === "once" ? ["run"] : ["run", "ordinal"]), ...names];
}

/**
 * All data of an experiment in the database except its name, owner and ids, including deleted runs. Deterministic:
 * equal experiments give the same bytes in every database. Requires a transaction of the caller.
 */
export async function* experimentMembers(
  engine: Engine,
  { id }: Pick<StoredExperiment, "id">,
): AsyncIterable<ExperimentMember> {
  // The caller's description may be outdated.
  const stored = await experimentById(engine, id);
  yield { name: dumpMemberName({ kind: "experiment" }), bytes: await encodeMetadata(engine, stored) };
  for (const [table, rows] of Object.entries(await smallTables(engine, stored)))
    yield* numberedMembers(table as DumpTable, encodeRows(rows));
  const runs = await runTable(engine, stored);
  yield* numberedMembers("runs", encodeRows(runs));
  yield* numberedMembers("sources", encodeRows(await sourceTable(engine, stored)));
  const numbers = recordsOf(runs).map((row) => Number(row.get("number")));
  yield* ownMembers(engine, stored, "once", numbers, new Map());
  yield* ownMembers(engine, stored, "data", numbers, await ordinalSpans(engine, stored));
}

/** SHA-256 over all members: equal for experiments that differ only in name and owner. */
export class ExperimentDigest {
  readonly #hash = createHash("sha256");

  /** Call it in the order of the members. `sha256`: digest of the member's bytes, in hex. */
  add(name: string, sha256: string): void {
    this.#hash.update(`${name} ${sha256}\n`);
  }

  addMember({ name, bytes }: ExperimentMember): void {
    this.add(name, createHash("sha256").update(bytes).digest("hex"));
  }

  end(): string {
    return this.#hash.digest("hex");
  }
}

/** Calls `onMember` for each member. */
export async function experimentDigest(
  engine: Engine,
  stored: Pick<StoredExperiment, "id">,
  onMember: (member: ExperimentMember) => void = () => {},
): Promise<string> {
  const digest = new ExperimentDigest();
  for await (const member of experimentMembers(engine, stored)) {
    digest.addMember(member);
    onMember(member);
  }
  return digest.end();
}

function* numberedMembers(table: DumpTable, pieces: Iterable<Uint8Array>, from = 1): Iterable<ExperimentMember> {
  let number = from;
  for (const bytes of pieces) yield { name: dumpMemberName({ kind: "rows", table, number: number++ }), bytes };
}

async function encodeMetadata(engine: Engine, { id, experiment }: StoredExperiment): Promise<Uint8Array> {
  const [row] = recordsOf(await engine.query("select created, modified from experiment where id = $1", [id]));
  const json = {
    description: experimentJson({ ...experiment, name: nameInDumps }),
    created: Number(row?.get("created")),
    modified: Number(row?.get("modified")),
  };
  return new TextEncoder().encode(`${JSON.stringify(json)}\n`);
}

/** The tables that always fit in memory, sorted independently of the database's collation. */
async function smallTables(engine: Engine, stored: StoredExperiment): Promise<Partial<Record<DumpTable, Table>>> {
  const { id, variableIds } = stored;
  const rowsOf = async (sql: string, ...names: readonly string[]): Promise<Value[][]> =>
    recordsOf(await engine.query(sql, [id])).map((row) => names.map((name) => row.get(name) ?? null));
  const attachments = (await listAttachments(engine, stored)).map((each): Value[] => {
    const { name, kind, synopsis, file, object, creator, created } = each;
    return [name, kind, synopsis ?? null, file ?? null, object, creator ?? null, created];
  });
  const setValues = await rowsOf(
    `select s.name as name, c.variable as variable, c.content as content from parameter_set s
     join parameter_set_content c on c.experiment = s.experiment and c.name_key = s.name_key where s.experiment = $1`,
    "name",
    "variable",
    "content",
  );
  return {
    attachments: sorted("attachments", attachments),
    "parameter-sets": sorted(
      "parameter-sets",
      await rowsOf("select name from parameter_set where experiment = $1", "name"),
    ),
    "parameter-set-contents": sorted(
      "parameter-set-contents",
      // Omits values of dropped variables.
      setValues
        .map(([set = null, variable = null, value = null]): Value[] => [
          set,
          variableIds.indexOf(Number(variable)),
          value,
        ])
        .filter(([, variable]) => Number(variable) >= 0),
    ),
    claims: sorted("claims", await rowsOf("select sha256 from claim where experiment = $1", "sha256")),
  };
}

/** Sorts by the first two cells, which identify a row. */
function sorted(table: keyof typeof dumpColumns, rows: Value[][]): Table {
  const columns: Columns = dumpColumns[table];
  const compare = (a: Value[], b: Value[], at: number): number =>
    compareValues(a[at] ?? null, b[at] ?? null, columns[at]?.[1] ?? "text");
  return tableOf(
    variablesOf(columns),
    rows.sort((a, b) => compare(a, b, 0) || compare(a, b, 1)),
  );
}

function columnNames(columns: Columns): string {
  return columns.map(([name]) => name).join(", ");
}

async function runTable(engine: Engine, { id }: StoredExperiment): Promise<Table> {
  const rows = await engine.query(
    `select ${columnNames(dumpColumns.runs)} from run where experiment = $1 order by number`,
    [id],
  );
  return { ...rows, variables: variablesOf(dumpColumns.runs) };
}

async function sourceTable(engine: Engine, { id }: StoredExperiment): Promise<Table> {
  const names = columnNames(dumpColumns.sources);
  const sql = `select ${names} from source where experiment = $1 order by run, ordinal, sha256`;
  return { ...(await engine.query(sql, [id])), variables: variablesOf(dumpColumns.sources) };
}

async function* ownMembers(
  engine: Engine,
  stored: StoredExperiment,
  table: "once" | "data",
  runs: readonly number[],
  spans: ReadonlyMap<number, RunSpan>,
): AsyncIterable<ExperimentMember> {
  const variables = ownVariables(stored, table);
  const name = table === "once" ? onceTable(stored.id) : dataTable(stored.id);
  const from = `select ${ownColumns(stored, table).join(", ")} from ${name}`;
  const budget = new RowBudget();
  let number = 1;
  for (const { runs: slice, ordinals } of exportSlices(runs, spans, () => budget.rows)) {
    const range = ordinals === undefined ? "" : ` and ordinal between ${ordinals.first} and ${ordinals.last}`;
    const order = table === "once" ? "run" : "run, ordinal";
    const { columns, length } = await engine.query(`${from} where ${isOneOf("run", slice)}${range} order by ${order}`);
    const decoded = columns.map((column, at) => decodeColumn(column, variables[at] as Variable));
    let bytes = 0;
    for (const member of numberedMembers(table, encodeRows({ variables, columns: decoded, length }), number)) {
      yield bytes === 0 ? { ...member, stored: { variables, columns, length } } : member;
      number += 1;
      bytes += member.bytes.length;
    }
    budget.record(length, bytes);
  }
}

function decodeColumn(column: Column, { type }: Variable): Column {
  return type === "version" && column.kind === "text"
    ? { ...column, dictionary: column.dictionary.map(versionOfKey) }
    : column;
}
