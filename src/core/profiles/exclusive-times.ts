import { flatColumns } from "../tables/flat-table.ts";
import type { Run } from "./run.ts";
import { selectColumns } from "../tables/table.ts";

/** What a function spent by itself, without what it called. */
export interface ExclusiveTime {
  /** The flattened uid. */
  readonly uid: string;
  /** The binary or script; "" where rows tell none. */
  readonly location: string;
  /** The sum, in the unit of the profile; 0 where no row tells it. */
  readonly time: number;
}

/** By uid and wanted location, in order of first appearance; none where the rows have no `exclusive`. */
export function exclusiveTimes(run: Run, isWanted: (location: string) => boolean = () => true): ExclusiveTime[] {
  const names = ["uid", "location", "exclusive"].filter((name) =>
    run.data.variables.some((variable) => variable.name === name),
  );
  if (!names.includes("uid") || !names.includes("exclusive")) return [];
  const columns = flatColumns(selectColumns(run.data, names));
  const [uid, location, exclusive] = ["uid", "location", "exclusive"].map((name) =>
    columns.find((column) => column.name === name),
  );
  const times = new Map<string, { uid: string; location: string; time: number }>();
  for (let row = 0; row < run.data.length; row++) {
    const [name, place, time] = [uid?.text(row) ?? "", location?.text(row) ?? "", exclusive?.number(row) ?? Number.NaN];
    if (name === "" || !isWanted(place)) continue;
    const key = `${name}\0${place}`;
    const own = times.get(key) ?? { uid: name, location: place, time: 0 };
    times.set(key, own);
    if (Number.isFinite(time)) own.time += time;
  }
  return [...times.values()];
}
