import { jsonObject } from "../../core/json.ts";
import type { Subject } from "../../formats/profile/profile-of.ts";
import type { Count } from "./counters-engine.ts";

/** A row for each event and run. `running` tells of events that had to share a counter for how much of the time they had it, in percent. */
export function subjectsOf(cmd: string, engine: string, runs: readonly (readonly Count[])[]): Subject[] {
  const rows = new Map<string, { readonly count: Count; readonly order: number }[]>();
  for (const [at, counts] of runs.entries())
    for (const count of counts) rows.set(count.name, [...(rows.get(count.name) ?? []), { count, order: at + 1 }]);
  return [...rows].map(([name, counted]) => subjectOf(cmd, engine, name, counted));
}

function subjectOf(
  cmd: string,
  engine: string,
  name: string,
  rows: readonly { readonly count: Count; readonly order: number }[],
): Subject {
  const event = rows[0]?.count.event ?? name;
  const amounts = rows.map(({ count }) => count.amount);
  const shared = rows.some(({ count }) => count.percent < 100);
  return {
    properties: jsonObject({
      engine,
      ...(event === name ? {} : { event: name }),
      subtype: event,
      type: "mixed",
      uid: cmd,
    }),
    columns: [
      {
        name: "amount",
        type: amounts.every((amount) => Number.isSafeInteger(amount)) ? "integer" : "float",
        values: amounts,
      },
      { name: "order", type: "integer", values: rows.map(({ order }) => order) },
      ...(shared ? [{ name: "running", type: "float" as const, values: rows.map(({ count }) => count.percent) }] : []),
    ],
  };
}

/** Units of the events, as headers have them; that of `mixed` is there when they agree. */
export function unitsOf(runs: readonly (readonly Count[])[]): Record<string, string> {
  const all = new Map(runs.flat().map(({ event, unit }) => [`mixed(${event})`, unit]));
  const [unit, ...others] = new Set(all.values());
  return { ...(unit === undefined || others.length > 0 ? {} : { mixed: unit }), ...Object.fromEntries(all) };
}
