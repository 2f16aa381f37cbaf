import { Failure } from "../../core/failures/index.ts";
import { machinesNamed, sameMachine, type Series, type SeriesPoint } from "../../core/measurements/index.ts";
import { formatUnit, groupBy } from "../../core/values/index.ts";
import type { Measured, Measurements } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { listExperiments } from "../experiments/index.ts";
import { experimentSeries, profileSeries, seriesAxis } from "../query/index.ts";

const prefix = "machine:";

/** Whether the sides are machines, as `machine:5f2c`. Fails with `unusable-combination` if only some are. */
export function areMachines(names: readonly string[]): boolean {
  const machines = names.filter((name) => name.startsWith(prefix)).length;
  if (machines > 0 && machines < names.length)
    throw new Failure("unusable-combination", {
      what: `a machine and ${names.find((name) => !name.startsWith(prefix))}`,
      instead: "name machines on all sides: machine:A machine:B",
    });
  return machines > 0;
}

interface MachineOptions {
  readonly database?: string;
  /** Metrics to keep although they only describe others. */
  readonly metrics: readonly string[];
}

type Sides = readonly [Measurements, Measurements, ...Measurements[]];

/**
 * What each machine measured at the newest commit that all of them measured, subject by subject: each profile and each
 * run is a group. Fails with `nothing-to-compare`, and with failures of reading the history and experiments.
 */
export async function machineSides(
  workspace: Workspace,
  names: readonly string[],
  options: MachineOptions,
): Promise<Sides> {
  const all = await everySeries(workspace, options);
  const known = new Set<string>();
  for (const { points } of all) for (const { machine } of points) if (machine !== null) known.add(machine);
  const machines = names.map((name) => machineOf(name, [...known]));
  const sides = names.map((name, at) => ({ name, measured: [] as Measured[], machines: [machines[at]!] }));
  const commits = new Set<VersionId | null>();
  for (const series of all) {
    const common = commonPoints(series, machines);
    if (common === undefined) continue;
    commits.add(common.version);
    for (const [at, points] of common.sides.entries()) {
      const { subject } = series;
      const groups = points.map(({ sample }) => sample);
      sides[at]!.measured.push({ subject, unitText: formatUnit(subject.unit), groups });
    }
  }
  const [version = null] = commits.size === 1 ? commits : [];
  if (commits.size > 0) return sides.map((side) => ({ ...side, version })) as unknown as Sides;
  throw new Failure("nothing-to-compare", {
    what: `no benchmark was measured at one commit on ${names.join(" and ")}`,
    instead: "measure one commit on all of them, and add or import the results here",
  });
}

async function everySeries(workspace: Workspace, { database, metrics }: MachineOptions): Promise<Series[]> {
  const home = database === undefined ? {} : { database };
  const axis = await seriesAxis(workspace, { allParents: true });
  const all = workspace.hasInstance() ? [...profileSeries(workspace, axis, { apart: true }).series] : [];
  for (const { name: experiment } of await listExperiments(workspace, home)) {
    const { series } = await experimentSeries(workspace, axis, { experiment, apart: true, ...home });
    all.push(...series.filter(({ subject }) => subject.derivedFrom === undefined || metrics.includes(subject.metric)));
  }
  return all;
}

/** The only machine with this name. */
function machineOf(side: string, known: readonly string[]): string {
  const found = machinesNamed(known, side.slice(prefix.length));
  if (found.length === 1) return found[0]!;
  const most = 10;
  const listed = (found.length > 1 ? found : known).slice(0, most).map((machine) => `${prefix}${machine}`);
  throw new Failure("nothing-to-compare", {
    what: `${found.length > 1 ? "several machines are" : "no machine is"} named '${side.slice(0, 200)}'`,
    instead: known.length === 0 ? "no measurement has a machine" : `name one of ${listed.join(", ")}`,
  });
}

interface CommonPoints {
  readonly version: VersionId | null;
  /** The points of each machine. */
  readonly sides: readonly (readonly SeriesPoint[])[];
}

/** The points at the newest version that all machines measured; points without one are of the last resort. */
function commonPoints({ points }: Series, machines: readonly string[]): CommonPoints | undefined {
  const byVersion = groupBy(points, ({ version }) => version);
  const versions = [...byVersion.keys()].filter((version) => version !== null);
  for (const version of [...versions.toReversed(), null]) {
    const own = byVersion.get(version) ?? [];
    const sides = machines.map((machine) => own.filter((point) => sameMachine(point.machine, machine) === "same"));
    if (sides.every((side) => side.length > 0)) return { version, sides };
  }
  return undefined;
}
