import { Failure, isFailure } from "../core/errors.ts";
import { tableOf } from "../core/table-builder.ts";
import type { Table } from "../core/table.ts";
import { formatUnit } from "../core/unit.ts";
import type { Variable } from "../core/variable.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import { findExperiment, type StoredExperiment } from "./catalogue.ts";
import { listExperiments } from "./experiment-lists.ts";
import { catalogueViews, experimentView, withViews } from "./sql-views.ts";

/** Fails with `statement-refused`. Experiments that the statement does not name take no part: their views would only cost time. */
export async function askSql(engine: Engine, statement: string): Promise<Table> {
  const text = statement.toLowerCase();
  const named = await experimentsWhere(engine, (name) => text.includes(name.toLowerCase()));
  // A statement may come from somebody else: it reads this database and no file beside it.
  if (engine.dialect === "duckdb") await engine.execute("set enable_external_access = false");
  try {
    return await engine.query(withViews([...catalogueViews, ...named.map(experimentView)], statement));
  } catch (error) {
    if (isFailure(error, "database-refused"))
      throw new Failure("statement-refused", { reason: error.data["reason"] }, error);
    throw error;
  }
}

/** The columns of all views: view, column, type, unit, synopsis. */
export async function viewColumns(engine: Engine): Promise<Table> {
  const experiments = await experimentsWhere(engine, () => true);
  const catalogue = catalogueViews.map((view) => ({ view, of: [] as readonly Variable[] }));
  const own = experiments.map((stored) => ({ view: experimentView(stored), of: stored.experiment.variables }));
  const rows: (string | null)[][] = [];
  for (const { view, of } of [...catalogue, ...own]) {
    const { variables } = await engine.query(
      withViews([view], `select * from "${view.name.replaceAll('"', '""')}" limit 0`),
    );
    rows.push(...variables.map((column) => columnRow(view.name, column, of)));
  }
  return tableOf(["view", "column", "type", "unit", "synopsis"].map(textColumn), rows);
}

function columnRow(view: string, { name, type }: Variable, of: readonly Variable[]): (string | null)[] {
  const variable = of.find((each) => each.name === name);
  return [view, name, type, formatUnit(variable?.unit) || null, variable?.synopsis ?? null];
}

function textColumn(name: string): Variable {
  return { name, role: "parameter", occurrence: "multiple", type: "text" };
}

async function experimentsWhere(engine: Engine, wanted: (name: string) => boolean): Promise<StoredExperiment[]> {
  const found: StoredExperiment[] = [];
  for (const { name } of await listExperiments(engine))
    if (wanted(name)) found.push(await findExperiment(engine, name));
  return found;
}
