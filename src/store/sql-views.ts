import type { Variable } from "../core/variable.ts";
import { runVariables } from "../query/run-variables.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { columnName, dataTable, onceTable } from "./schema.ts";

/** A named query that people's own statements may select from. Deleted runs and experiments are in none. */
export interface View {
  readonly name: string;
  readonly sql: string;
}

const live = "(select * from experiment where deleted is null)";

/** What every database has, whatever its experiments are (docs/sql.md). */
export const catalogueViews: readonly View[] = [
  {
    name: "experiments",
    sql: `select e.name, e.synopsis, e.description, e.performed_by, e.organization, e.project, e.created, e.modified,
      (select count(*) from run r where r.experiment = e.id and r.active) as runs from ${live} e`,
  },
  {
    name: "variables",
    sql: `select e.name as experiment, v.ordinal as place, v.name, v.role, v.occurrence, v.type, v.unit, v.synopsis
      from variable v join ${live} e on e.id = v.experiment`,
  },
  {
    name: "runs",
    sql: `select e.name as experiment, r.number as run, r.version as "commit", r.dirty, r.performed, r.created, r.performer, r.label,
      r.synopsis, r.data_sets from run r join ${live} e on e.id = r.experiment where r.active`,
  },
  {
    name: "files",
    sql: `select e.name as experiment, s.run, s.path, s.sha256, s.bytes, s.modified
      from source s join ${live} e on e.id = s.experiment join run r on r.experiment = s.experiment and r.number = s.run where r.active`,
  },
];

/**
 * The data sets of an experiment: what its runs know (`run`, `commit`, …), then its variables under their own names. A variable that is
 * called like a fact of runs keeps its name, the fact is `@name` then.
 */
export function experimentView({ id, experiment, variableIds }: StoredExperiment): View {
  const taken = new Set(experiment.variables.map(({ name }) => name.toLowerCase()));
  const facts = runVariables.map(
    ({ name }) => `r.${runColumns[name] ?? name} as ${quoted(taken.has(name) ? `@${name}` : name)}`,
  );
  const multiple = experiment.variables.some(({ occurrence }) => occurrence === "multiple");
  const own = experiment.variables.map(
    (variable, at) => `${contentOf(variable, variableIds[at] ?? 0)} as ${quoted(variable.name)}`,
  );
  const data = multiple ? ` join ${dataTable(id)} d on d.run = r.number` : "";
  return {
    name: catalogueViews.some((view) => view.name === experiment.name.toLowerCase())
      ? `experiment.${experiment.name}`
      : experiment.name,
    sql: `select ${[...facts, ...own].join(", ")} from run r join ${onceTable(id)} o on o.run = r.number${data}
      where r.experiment = ${id} and r.active`,
  };
}

/** Columns of table `run` that have another name there. */
const runColumns: Readonly<Record<string, string>> = { run: "number", commit: "version" };

/** Versions are kept as sortable keys: their text is behind the first chr(1). */
function contentOf(variable: Variable, id: number): string {
  const column = `${variable.occurrence === "once" ? "o" : "d"}.${columnName(id)}`;
  return variable.type === "version" ? `split_part(${column}, chr(1), 2)` : column;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** One query that selects from views as from tables. It can do nothing but select: it stands in parentheses. */
export function withViews(views: readonly View[], statement: string): string {
  const defined = views.map(({ name, sql }) => `${quoted(name)} as (${sql})`).join(",\n");
  return `with ${defined}\nselect * from (\n${statement.replace(/[\s;]+$/, "")}\n) as answer`;
}
