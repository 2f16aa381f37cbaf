import { Failure } from "../../core/failures/index.ts";
import {
  type Experiment,
  resolveChanges,
  updatedExperiment,
  type ExperimentUpdate,
} from "../../core/experiments/index.ts";
import { findVariable, type Variable } from "../../core/variables/index.ts";
import { formatUnit, sameDimension, type Value } from "../../core/values/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { deleteVariables, insertVariables, nextId, requireFreeName, type StoredExperiment } from "./catalogue.ts";
import { commentsText } from "./catalogue-rows.ts";
import { convertUnits, requireWholeNumbers } from "./convert-units.ts";
import { boundValueSql, columnAddition, columnName, dataTable, onceTable } from "../schema/index.ts";

/**
 * The experiment after an update; writes nothing. Variables that remain keep their ids, even if renamed; new ones
 * follow and have no ids yet. Fails with `unknown-variable` and `update-refused`, while there are runs also for a unit
 * of another dimension and a new parameter without a default.
 */
export async function planUpdate(
  engine: Engine,
  before: StoredExperiment,
  update: ExperimentUpdate,
): Promise<StoredExperiment> {
  const experiment = updatedExperiment(before.experiment, update);
  const dropped = resolveChanges(before.experiment, update).flatMap((change) =>
    change.kind === "drop" ? (findVariable(before.experiment.variables, change.name)?.name ?? []) : [],
  );
  // Remaining variables keep their order, and new ones follow.
  const remaining = before.variableIds.filter(
    (_, at) => !dropped.includes(before.experiment.variables[at]?.name ?? ""),
  );
  const after = { ...before, experiment, variableIds: remaining };
  if (await hasRuns(engine, before.id)) {
    checkUnits(before, after);
    checkAdded(before, after);
  }
  if (update.relabel !== true) await requireWholeNumbers(engine, before, after);
  return after;
}

/** Assigns ids to the new variables of a planned update. */
export async function withNewIds(engine: Engine, planned: StoredExperiment): Promise<StoredExperiment> {
  const variableIds = [...planned.variableIds];
  while (variableIds.length < planned.experiment.variables.length)
    variableIds.push(await nextId(engine, "variable_ids"));
  return { ...planned, variableIds };
}

/** Existing runs take the default of a new parameter. */
function checkAdded(before: StoredExperiment, after: StoredExperiment): void {
  const added = after.experiment.variables.slice(after.variableIds.length);
  const lacking = added.find((variable) => variable.role === "parameter" && variable.default === undefined);
  if (lacking === undefined) return;
  throw new Failure("update-refused", {
    experiment: before.experiment.name,
    problem: `there are runs, and the new parameter '${lacking.name}' has no default for them`,
    advice: `give '${lacking.name}' a default, or NULL if it is unknown`,
  });
}

/** Numbers cannot be converted to a unit of another dimension. */
function checkUnits(before: StoredExperiment, after: StoredExperiment): void {
  after.variableIds.forEach((id, at) => {
    const [was, variable] = [variableWith(before, id), after.experiment.variables[at]];
    if (was?.unit === undefined || variable?.unit === undefined || sameDimension(was.unit, variable.unit)) return;
    const problem =
      `'${was.name}' is in ${formatUnit(was.unit)}, ` +
      `which cannot become ${formatUnit(variable.unit)} while there are runs`;
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
 * Alters an experiment to `after`, within a transaction of the caller. In existing runs a new parameter has its default
 * and a new result is null. With `converts`, numbers are converted to changed units. Does not change rights; see
 * `replaceRights`. Fails with `experiment-exists` if the new name is taken.
 */
export async function alterExperiment(
  engine: Engine,
  before: StoredExperiment,
  after: StoredExperiment,
  converts: boolean,
): Promise<void> {
  if (before.experiment.name.toLowerCase() !== after.experiment.name.toLowerCase())
    await requireFreeName(engine, after.experiment.name);
  for (const occurrence of ["once", "multiple"] as const) await alterColumns(engine, before, after, occurrence);
  if (converts) await convertUnits(engine, before, after);
  await deleteVariables(engine, before.id);
  await insertVariables(engine, after);
  await updateMetadata(engine, before.id, after.experiment);
}

/** Must run before rows change: DuckDB refuses the other order within one transaction. */
async function alterColumns(
  engine: Engine,
  before: StoredExperiment,
  after: StoredExperiment,
  which: Variable["occurrence"],
): Promise<void> {
  const table = which === "once" ? onceTable(before.id) : dataTable(before.id);
  for (const id of before.variableIds.filter((each) => !after.variableIds.includes(each)))
    if (variableWith(before, id)?.occurrence === which) await engine.catalogue.dropColumn(before.id, which, id);
  const added = after.variableIds
    .filter((id) => !before.variableIds.includes(id))
    .map((id) => ({ id, variable: variableWith(after, id) as Variable }))
    .filter(({ variable }) => variable.occurrence === which);
  for (const { id, variable } of added) await engine.execute(columnAddition(engine, before.id, variable, id));
  const params: Value[] = [];
  const terms = added.flatMap(({ id, variable }) => {
    const { role, default: initial = null } = variable;
    if (role !== "parameter" || initial === null) return [];
    const sql = boundValueSql(initial, variable, engine.dialect, (value) => `$${params.push(value)}`);
    return [`${columnName(id)} = ${sql}`];
  });
  if (terms.length > 0) await engine.execute(`update ${table} set ${terms.join(", ")}`, params);
}

async function updateMetadata(engine: Engine, id: number, e: Experiment): Promise<void> {
  await engine.execute(
    // A deleted experiment does not occupy its name.
    `update experiment set name = $1, name_key = case when deleted is null then $2 else name_key end,
     synopsis = $3, description = $4,
     performed_by = $5, organization = $6, project = $7, comments = $8 where id = $9`,
    [
      e.name,
      e.name.toLowerCase(),
      ...[e.synopsis, e.description, e.performedBy, e.organization, e.project].map((each) => each ?? null),
      commentsText(e),
      id,
    ],
  );
}
