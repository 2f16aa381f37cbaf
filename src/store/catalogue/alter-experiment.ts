import { Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { settledChanges, updatedExperiment } from "../../core/experiments/apply-update.ts";
import type { ExperimentUpdate } from "../../core/experiments/experiment-update.ts";
import { findVariable, type Variable } from "../../core/variables/variable.ts";
import { formatUnit, sameDimension } from "../../core/values/unit.ts";
import type { Value } from "../../core/values/value.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { deleteVariables, insertVariables, nextId, refuseTaken, type StoredExperiment } from "./catalogue.ts";
import { boundValue } from "../schema/value-parameter.ts";
import { columnAddition, columnName, dataTable, dropColumn, onceTable } from "../schema/schema.ts";

/**
 * The experiment as it is to be after an update; variables that stay keep their ids, whatever they are called; new ones
 * follow, and have none yet. Nothing is written. Fails with `unknown-variable`, `update-refused`: also for a unit that
 * measures something else while there are runs.
 */
export async function plannedUpdate(
  engine: Engine,
  before: StoredExperiment,
  update: ExperimentUpdate,
): Promise<StoredExperiment> {
  const experiment = updatedExperiment(before.experiment, update);
  const gone = settledChanges(before.experiment, update).flatMap((change) =>
    change.kind === "drop" ? (findVariable(before.experiment.variables, change.name)?.name ?? []) : [],
  );
  // Variables that stay keep their order, and new ones follow.
  const kept = before.variableIds.filter((_, at) => !gone.includes(before.experiment.variables[at]?.name ?? ""));
  const after = { ...before, experiment, variableIds: kept };
  if (await hasRuns(engine, before.id)) checkUnits(before, after);
  return after;
}

/** Gives ids to the new variables of a planned update. */
export async function withNewIds(engine: Engine, planned: StoredExperiment): Promise<StoredExperiment> {
  const variableIds = [...planned.variableIds];
  while (variableIds.length < planned.experiment.variables.length)
    variableIds.push(await nextId(engine, "variable_ids"));
  return { ...planned, variableIds };
}

/**
 * Stored numbers are not converted: the unit says what they always were. Another dimension would make them mean
 * something else.
 */
function checkUnits(before: StoredExperiment, after: StoredExperiment): void {
  after.variableIds.forEach((id, at) => {
    const [was, variable] = [variableWith(before, id), after.experiment.variables[at]];
    if (was?.unit === undefined || variable?.unit === undefined || sameDimension(was.unit, variable.unit)) return;
    const problem = `'${was.name}' is in ${formatUnit(was.unit)}, which cannot become ${formatUnit(variable.unit)} while there are runs`;
    throw new Failure("update-refused", {
      experiment: before.experiment.name,
      problem,
      advice: "add a variable of the other unit",
    });
  });
}

function variableWith({ experiment, variableIds }: StoredExperiment, id: number): Variable | undefined {
  return experiment.variables[variableIds.indexOf(id)];
}

async function hasRuns(engine: Engine, id: number): Promise<boolean> {
  return (await engine.query("select number from run where experiment = $1 limit 1", [id])).length > 0;
}

/**
 * Makes the experiment what `after` says; within a transaction of the caller. In runs that are there already, a new
 * parameter takes its default and a new result has no content. Rights stay: `replaceRights` changes them. Fails with
 * `experiment-exists` when its new name is taken.
 */
export async function alterExperiment(
  engine: Engine,
  before: StoredExperiment,
  after: StoredExperiment,
): Promise<void> {
  if (before.experiment.name.toLowerCase() !== after.experiment.name.toLowerCase())
    await refuseTaken(engine, after.experiment.name);
  for (const occurrence of ["once", "multiple"] as const) await alterColumns(engine, before, after, occurrence);
  await deleteVariables(engine, before.id);
  await insertVariables(engine, after);
  await updateAbout(engine, before.id, after.experiment);
}

/** Columns change before rows do: DuckDB refuses it the other way round within one transaction. */
async function alterColumns(
  engine: Engine,
  before: StoredExperiment,
  after: StoredExperiment,
  which: Variable["occurrence"],
): Promise<void> {
  const table = which === "once" ? onceTable(before.id) : dataTable(before.id);
  for (const id of before.variableIds.filter((each) => !after.variableIds.includes(each)))
    if (variableWith(before, id)?.occurrence === which) await dropColumn(engine, before.id, which, id);
  const added = after.variableIds
    .filter((id) => !before.variableIds.includes(id))
    .map((id) => ({ id, variable: variableWith(after, id) as Variable }))
    .filter(({ variable }) => variable.occurrence === which);
  for (const { id, variable } of added) await engine.execute(columnAddition(engine, before.id, variable, id));
  const params: Value[] = [];
  const terms = added.flatMap(({ id, variable }) => {
    const { role, default: content = null } = variable;
    if (role !== "parameter" || content === null) return [];
    const { sql, value } = boundValue(engine, content, variable, params.length + 1);
    params.push(value);
    return [`${columnName(id)} = ${sql}`];
  });
  if (terms.length > 0) await engine.execute(`update ${table} set ${terms.join(", ")}`, params);
}

async function updateAbout(engine: Engine, id: number, e: Experiment): Promise<void> {
  await engine.execute(
    // One that is deleted holds no name.
    `update experiment set name = $1, name_key = case when deleted is null then $2 else name_key end, synopsis = $3, description = $4,
     performed_by = $5, organization = $6, project = $7 where id = $8`,
    [
      e.name,
      e.name.toLowerCase(),
      ...[e.synopsis, e.description, e.performedBy, e.organization, e.project].map((each) => each ?? null),
      id,
    ],
  );
}
