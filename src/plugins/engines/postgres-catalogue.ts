import { Failure } from "../../core/failures/index.ts";
import { rowsOf, type Table } from "../../core/tables/index.ts";
import { formatValue, type DataType, type Value } from "../../core/values/index.ts";
import type {
  Catalogue,
  ColumnDefinition,
  Dialect,
  Engine,
  LayoutExtension,
  LedgerRow,
  Occurrence,
  Rights,
} from "./engine.ts";
import { ownRunsStatements, rightsStatements } from "./postgres-rights-schema.ts";
import { shardingStatements } from "./postgres-table-functions.ts";

export const postgresDialect: Dialect = Object.freeze({
  name: "postgres",
  bytesType: "BYTEA",
  rowLock: " for update",
  wholeQuotient: "/",
  hashSumType: "numeric",
  bytesOf: (base64: string) => `decode(${base64}, 'base64')`,
  trimmedMean(column: string, share: number) {
    const cut = `cast(floor(${share} * count(${column})) as bigint)`;
    const sorted = `array_agg(${column} order by ${column}) filter (where ${column} is not null)`;
    return `(select avg(u.v) from unnest((${sorted})[${cut} + 1:count(${column}) - ${cut}]) u(v))`;
  },
  floatMode: (column: string) => `mode() within group (order by ${column})`,
  medianDeviation(column: string) {
    const median = `select percentile_cont(0.5) within group (order by ${column}) as c`;
    const deviations = "percentile_cont(0.5) within group (order by abs(u.v - m.c))";
    return `(select ${deviations} from unnest(array_agg(${column})) u(v), (${median}) m)`;
  },
  rowHash: (columns: readonly string[]) => `hashtextextended(cast(row(${columns.join(", ")}) as text), 0)`,
});

const extensions: Readonly<Record<LayoutExtension, readonly string[]>> = {
  rights: rightsStatements,
  sharding: shardingStatements,
  "own-runs": ownRunsStatements,
};

type Connection = Pick<Engine, "execute" | "query">;

/** The catalogue of a server. Functions with the rights of the schema's owner check the user, then change tables. */
export class PostgresCatalogue implements Catalogue {
  readonly isShared = true;
  readonly canShard = true;
  readonly losesNumbers = true;
  readonly #engine: Connection;

  constructor(engine: Connection) {
    this.#engine = engine;
  }

  /** Uses pg_catalog, which also lists tables that the user may not read. */
  async hasLayout(): Promise<boolean> {
    const [row] = rowsOf(
      await this.#engine.query(
        `select has_schema_privilege(n.oid, 'USAGE'), cast(session_user as varchar),
         cast(pg_get_userbyid(c.relowner) as varchar)
         from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         where c.relname = 'schema_version' and n.nspname = 'perfkeep'`,
      ),
    );
    if (row === undefined) return false;
    const [isOpen, user, owner] = row;
    if (isOpen !== true) throw new Failure("database-closed", { user: textOf(user), owner: textOf(owner) });
    return true;
  }

  extension(name: LayoutExtension): readonly string[] {
    return extensions[name];
  }

  createTables(id: number, once: readonly ColumnDefinition[], multiple: readonly ColumnDefinition[]): Promise<void> {
    return this.#engine.execute("select make_tables($1, $2, $3)", [id, JSON.stringify(once), JSON.stringify(multiple)]);
  }

  columnAddition(id: number, occurrence: Occurrence, [variable, type]: ColumnDefinition): string {
    return `select add_column(${id}, '${occurrence}', ${variable}, '${type}')`;
  }

  dropColumn(id: number, occurrence: Occurrence, variable: number): Promise<void> {
    return this.#engine.execute(`select drop_column(${id}, '${occurrence}', ${variable})`);
  }

  dropExperiment(id: number): Promise<void> {
    return this.#engine.execute("select drop_experiment($1)", [id]);
  }

  restartRuns(id: number, next: number): Promise<void> {
    return this.#engine.execute("select restart_runs($1, $2)", [id, next]);
  }

  setModified(id: number, time: string): Promise<void> {
    return this.#engine.execute("select touch($1, cast($2 as timestamp))", [id, time]);
  }

  async isNameTaken(key: string): Promise<boolean> {
    return (await this.#engine.query("select 1 where is_taken($1)", [key])).length > 0;
  }

  /** Uses INSERT: COPY does not support the policies that guard the catalogue. */
  async append(table: string, columns: readonly string[], rows: Table): Promise<void> {
    const cells = rowsOf(rows) as Value[][];
    const maxRows = Math.floor(maxBoundValues / columns.length);
    for (let at = 0; at < cells.length; at += maxRows) {
      const values: Value[] = [];
      const tuples = cells
        .slice(at, at + maxRows)
        .map((row) => `(${row.map((cell, index) => bound(cell, rows.variables[index]?.type, values)).join(", ")})`);
      await this.#engine.execute(`insert into ${table} (${columns.join(", ")}) values ${tuples.join(", ")}`, values);
    }
  }

  lockLedger(): Promise<Table> {
    return this.#engine.query("select database, number, object from lock_ledger()");
  }

  /** The server checks the sequence of the entries and the rights of the user. */
  async appendLedger(entries: readonly LedgerRow[]): Promise<void> {
    if (entries.length === 0) return;
    const calls = entries.map(
      (_, at) =>
        `note_change(${[1, 2, 3, 4].map((n) => `$${5 * at + n}`).join(", ")}, cast($${5 * at + 5} as timestamp))`,
    );
    await this.#engine.execute(
      `select ${calls.join(", ")}`,
      entries.flatMap(({ number, experiment, kind, object, time }) => [number, experiment, kind, object, time]),
    );
  }
}

function textOf(cell: unknown): string {
  return typeof cell === "string" ? cell : "";
}

/** Of one statement. */
const maxBoundValues = 65_535;

/** The SQL of a cell of the catalogue, whose value is added to `values`. */
function bound(cell: Value, type: DataType | undefined, values: Value[]): string {
  if (cell === null) return "null";
  const isTime = type === "timestamp" || type === "date";
  values.push(isTime ? formatValue(cell, type) : type === "boolean" ? cell === true || cell === 1 : cell);
  return isTime || type === "boolean" ? `cast($${values.length} as ${type})` : `$${values.length}`;
}

/** Rights that the server enforces; users log in as themselves. */
export class PostgresRights implements Rights {
  readonly areEnforced = true;
  readonly #engine: Connection;

  constructor(engine: Connection) {
    this.#engine = engine;
  }

  async user(): Promise<string> {
    return textOf(await this.#value("select cast(session_user as varchar)"));
  }

  async keeper(): Promise<string> {
    const sql =
      "select cast(pg_get_userbyid(relowner) as varchar) from pg_catalog.pg_class " +
      "where oid = cast('perfkeep.experiment' as regclass)";
    return textOf(await this.#value(sql));
  }

  async seesAll(): Promise<boolean> {
    return (await this.#value("select is_keeper()")) === true;
  }

  async mayCreate(): Promise<boolean> {
    return (await this.#value("select may_create()")) === true;
  }

  async isGranted(experiment: number, right: string): Promise<boolean> {
    return (await this.#value("select $1 = any(granted($2))", [experiment, right])) === true;
  }

  async importedAll(experiment: number, runs: readonly number[]): Promise<boolean> {
    if (runs.length === 0) return true;
    const others = await this.#engine.query(
      `select number from run where experiment = $1 and number in (${runs.join(", ")})
       and importer is distinct from session_user limit 1`,
      [experiment],
    );
    return others.length === 0;
  }

  async roles(): Promise<readonly string[]> {
    const sql = "select cast(rolname as varchar) from pg_catalog.pg_roles where rolname !~ '^pg_' order by 1";
    return rowsOf(await this.#engine.query(sql)).map(([name]) => textOf(name));
  }

  lock(): Promise<void> {
    return this.#engine.execute("select hold_rights()");
  }

  replace(experiment: number, names: readonly (readonly [right: string, who: string])[]): Promise<void> {
    return this.#engine.execute("select set_access($1, $2)", [experiment, JSON.stringify(names)]);
  }

  async #value(sql: string, params?: readonly Value[]): Promise<unknown> {
    return rowsOf(await this.#engine.query(sql, params))[0]?.[0];
  }
}
