import { counted } from "../../core/text/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { experimentById, type StoredExperiment } from "../catalogue/index.ts";
import { ledgerHead, listedEntries } from "../ledger/index.ts";
import type { Objects } from "../objects/index.ts";
import { recordsOf, type Row, columnAddition, columnName, dataTable, onceTable } from "../schema/index.ts";

/** An inconsistency in the database. */
export interface ExperimentFinding {
  readonly code:
    | "table-missing"
    | "column-missing"
    | "run-without-contents"
    | "rows-without-run"
    | "wrong-count"
    | "claim-without-run"
    | "run-without-claim"
    | "object-missing"
    | "object-damaged"
    | "ledger-broken";
  /** Name of the experiment; absent for findings about the database. */
  readonly experiment?: string;
  readonly run?: number;
  readonly object?: string;
  readonly message: string;
  /** Whether `repair` can fix it without data loss; others need `perfkeep rebuild` or a backup of the store. */
  readonly fixable: boolean;
}

/** Statements that repair a finding, stored separately so that findings are plain data. */
const repairs = new WeakMap<ExperimentFinding, readonly string[]>();

/** Compares data with the catalogue and objects, for one experiment or for all including deleted ones. */
export async function checkExperiments(
  engine: Engine,
  objects: Pick<Objects, "open">,
  only?: StoredExperiment,
): Promise<ExperimentFinding[]> {
  const ids = recordsOf(await engine.query("select id from experiment order by id")).map((row) =>
    Number(row.get("id")),
  );
  const findings: ExperimentFinding[] = [];
  for (const id of only === undefined ? ids : [only.id]) {
    const stored = await experimentById(engine, id);
    const tables = await checkTables(engine, stored);
    findings.push(...tables);
    if (!tables.some((finding) => finding.code === "table-missing"))
      findings.push(...(await checkRows(engine, stored)));
    findings.push(...(await checkClaims(engine, stored)));
    findings.push(...(await checkObjects(engine, objects, stored)));
  }
  // A user who sees only some of the entries cannot detect missing ones.
  if (only === undefined && (await engine.rights.seesAll())) findings.push(...(await checkLedger(engine, objects)));
  return findings;
}

/** The codes of repairable findings, by experiment. */
export function repairableCodes(findings: readonly ExperimentFinding[]): Map<string, string[]> {
  const codes = new Map<string, string[]>();
  for (const { experiment, fixable, code } of findings)
    if (fixable && experiment !== undefined) codes.set(experiment, [...(codes.get(experiment) ?? []), code]);
  return codes;
}

/** Repairs findings in order, within a transaction of the caller, and returns the repaired ones. */
export async function repair(engine: Engine, findings: readonly ExperimentFinding[]): Promise<ExperimentFinding[]> {
  // DuckDB requires changes of columns before those of rows.
  const repaired = findings.filter((finding) => finding.fixable);
  const ordered = [...repaired.filter(isColumn), ...repaired.filter((finding) => !isColumn(finding))];
  for (const finding of ordered) for (const statement of repairs.get(finding) ?? []) await engine.execute(statement);
  return repaired;
}

const isColumn = (finding: ExperimentFinding): boolean => finding.code === "column-missing";

function repairable(finding: Omit<ExperimentFinding, "fixable">, ...statements: readonly string[]): ExperimentFinding {
  const result = { ...finding, fixable: true };
  repairs.set(result, statements);
  return result;
}

async function checkTables(
  engine: Engine,
  { id, experiment, variableIds }: StoredExperiment,
): Promise<ExperimentFinding[]> {
  const findings: ExperimentFinding[] = [];
  for (const [occurrence, table] of [["once", onceTable(id)] as const, ["multiple", dataTable(id)] as const]) {
    const columns = recordsOf(
      await engine.query("select column_name from information_schema.columns where table_name = $1", [table]),
    );
    const names = new Set(columns.map((row) => String(row.get("column_name"))));
    const about = { experiment: experiment.name };
    if (names.size === 0) {
      findings.push({ ...about, code: "table-missing", message: `its table ${table} is missing`, fixable: false });
      continue;
    }
    experiment.variables.forEach((variable: Variable, at) => {
      const name = columnName(variableIds[at] as number);
      if (variable.occurrence !== occurrence || names.has(name)) return;
      const message = `the column of '${variable.name}' is missing; its values are lost unless the database is rebuilt`;
      const statement = columnAddition(engine, id, variable, variableIds[at] as number);
      findings.push(repairable({ ...about, code: "column-missing", message }, statement));
    });
  }
  return findings;
}

async function checkRows(engine: Engine, { id, experiment }: StoredExperiment): Promise<ExperimentFinding[]> {
  const [about, data, once] = [{ experiment: experiment.name }, dataTable(id), onceTable(id)];
  const ask = async (sql: string): Promise<readonly Row[]> => recordsOf(await engine.query(sql));
  const lost = await ask(
    `select number from run where experiment = ${id} and number not in (select run from ${once}) order by number`,
  );
  const orphans = await ask(
    `select run, sum(n) as n from (
       select run, count(*) as n from ${data} group by run
       union all select run, count(*) as n from ${once} group by run) t
     where run not in (select number from run where experiment = ${id}) group by run order by run`,
  );
  const counts = await ask(
    `select r.number as number, r.data_sets as recorded, coalesce(d.n, 0) as n from run r
     left join (select run, count(*) as n from ${data} group by run) d on d.run = r.number
     where r.experiment = ${id} and r.data_sets <> coalesce(d.n, 0) order by r.number`,
  );
  return [
    ...lost.map((row): ExperimentFinding => {
      const run = Number(row.get("number"));
      const message = `run ${run} has no row of once-values`;
      return { ...about, run, code: "run-without-contents", message, fixable: false };
    }),
    ...orphans.map((row) => {
      const run = Number(row.get("run"));
      const message = `${counted(Number(row.get("n")), "row")} of run ${run}, which does not exist`;
      const statements = [data, once].map((table) => `delete from ${table} where run = ${run}`);
      return repairable({ ...about, run, code: "rows-without-run", message }, ...statements);
    }),
    ...counts.map((row) => {
      const [run, recorded, actual] = [Number(row.get("number")), Number(row.get("recorded")), Number(row.get("n"))];
      const message = `run ${run} has ${counted(actual, "row")}, but the catalogue records ${recorded}`;
      const statement = `update run set data_sets = ${actual} where experiment = ${id} and number = ${run}`;
      return repairable({ ...about, run, code: "wrong-count", message }, statement);
    }),
  ];
}

/** Guards statements: digests from the database become part of SQL text. */
const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

async function checkClaims(engine: Engine, { id, experiment }: StoredExperiment): Promise<ExperimentFinding[]> {
  const about = { experiment: experiment.name };
  const active = `select s.sha256 as sha256 from source s join run r on r.experiment = s.experiment and r.number = s.run
     where s.experiment = ${id} and r.active`;
  const claims = `select sha256 from claim where experiment = ${id}`;
  const texts = async (sql: string): Promise<string[]> =>
    recordsOf(await engine.query(sql))
      .map((row) => String(row.get("sha256")))
      .filter(isSha256);
  const idle = await texts(`${claims} and sha256 not in (${active}) order by sha256`);
  const free = await texts(
    `select distinct t.sha256 as sha256 from (${active}) t where t.sha256 not in (${claims}) order by 1`,
  );
  return [
    ...idle.map((sha256) => {
      const message = `the file ${sha256.slice(0, 12)}… is recorded as imported, but no active run came from it`;
      return repairable(
        { ...about, code: "claim-without-run", message },
        `delete from claim where experiment = ${id} and sha256 = '${sha256}'`,
      );
    }),
    ...free.map((sha256) => {
      const message = `the file ${sha256.slice(0, 12)}… could be imported twice`;
      return repairable(
        { ...about, code: "run-without-claim", message },
        `insert into claim (experiment, sha256) values (${id}, '${sha256}')`,
      );
    }),
  ];
}

async function checkObjects(
  engine: Engine,
  objects: Pick<Objects, "open">,
  { id, experiment }: StoredExperiment,
): Promise<ExperimentFinding[]> {
  const used = await engine.query(
    `select object, min(what) as what from (
       select object, path as what from source where experiment = $1
       union all select description as object, 'the description of run ' || cast(number as varchar) as what
       from run where experiment = $1
       union all select description as object, 'the description of ' || path as what
       from source where experiment = $1
       union all select object, 'the attachment ' || name as what from attachment where experiment = $1) t
     where object is not null group by object order by object`,
    [id],
  );
  const findings: ExperimentFinding[] = [];
  for (const row of recordsOf(used)) {
    const finding = await objectFinding(objects, String(row.get("object")), `, which stores ${row.get("what")}`);
    if (finding !== null) findings.push({ experiment: experiment.name, ...finding });
  }
  return findings;
}

async function checkLedger(engine: Engine, objects: Pick<Objects, "open">): Promise<ExperimentFinding[]> {
  const findings: ExperimentFinding[] = [];
  const [head, listed] = [await ledgerHead(engine), await listedEntries(engine)];
  if (head.number !== listed.length || head.object !== listed.at(-1)) {
    const message = `the ledger lists ${counted(listed.length, "change")}, but its head records ${head.number}`;
    findings.push({ code: "ledger-broken", message, fixable: false });
  }
  for (const object of listed) {
    const finding = await objectFinding(objects, object, ", which stores an entry of the ledger");
    if (finding !== null) findings.push(finding);
  }
  return findings;
}

async function objectFinding(
  objects: Pick<Objects, "open">,
  object: string,
  role: string,
): Promise<ExperimentFinding | null> {
  try {
    const { body } = await objects.open(object as Digest);
    for await (const _ of body);
    return null;
  } catch (error) {
    if (isFailure(error, "object-missing"))
      return {
        code: "object-missing",
        object,
        message: `object ${object}${role}, is not in the store`,
        fixable: false,
      };
    if (isFailure(error, "object-damaged") || isFailure(error, "not-an-object"))
      return { code: "object-damaged", object, message: `${error.message}${role}`, fixable: false };
    throw error;
  }
}
