import { plainName, type SampleLabels, type StackFrame, type StackProfile } from "../../core/profiles/index.ts";
import { profileLabel } from "./speedscope.ts";

/** Units of speedscope; others become `none`. */
const knownUnits = new Set(["nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"]);

/**
 * Prints a speedscope document in pieces: a sampled profile per set of labels and type of `types` with amounts.
 */
export function* speedscopeText(profile: StackProfile, types: readonly number[]): Generator<string> {
  const name = profile.facts.name ?? profile.facts.command ?? "profile";
  yield `{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"perfkeep",`;
  yield `"name":${JSON.stringify(name)},"activeProfileIndex":0,"shared":{"frames":[`;
  for (const [at, frame] of profile.stacks.frames.entries())
    yield `${at > 0 ? "," : ""}${JSON.stringify(frameOf(frame))}`;
  yield `]},"profiles":[`;
  const groups = groupsOf(profile, types);
  for (const [at, group] of groups.entries()) {
    if (at > 0) yield ",";
    yield* profileText(profile, group, nameOf(profile, group, groups, name));
  }
  yield "]}\n";
}

/** Rows with one set of labels and nonzero amounts of one type. */
interface Group {
  readonly labels: SampleLabels;
  readonly type: number;
  readonly rows: number[];
}

function groupsOf({ samples }: StackProfile, types: readonly number[]): Group[] {
  const groups = new Map<SampleLabels, Map<number, Group>>();
  for (let row = 0; row < samples.length; row++) {
    const labels = samples.labelsOf(row);
    const ofLabels = groups.get(labels) ?? new Map<number, Group>();
    groups.set(labels, ofLabels);
    for (const type of types) {
      if (samples.valueOf(row, type) === 0) continue;
      const group = ofLabels.get(type) ?? { labels, type, rows: [] };
      ofLabels.set(type, group);
      group.rows.push(row);
    }
  }
  return [...groups.values()].flatMap((ofLabels) =>
    [...ofLabels.values()].toSorted((a, b) => types.indexOf(a.type) - types.indexOf(b.type)),
  );
}

function* profileText(
  { stacks, samples, types }: StackProfile,
  { type, rows }: Group,
  name: string,
): Generator<string> {
  const { unit } = types[type]!;
  const sum = rows.reduce((total, row) => total + samples.valueOf(row, type), 0);
  yield `{"type":"sampled","name":${JSON.stringify(name)},"unit":"${knownUnits.has(unit) ? unit : "none"}",`;
  yield `"startValue":0,"endValue":${sum},"samples":[`;
  for (const [at, row] of rows.entries()) {
    const calls: number[] = [];
    for (let node = samples.stackOf(row); node > 0; node = stacks.callerOf(node)) calls.push(stacks.callOf(node));
    yield `${at > 0 ? "," : ""}[${calls.toReversed().join(",")}]`;
  }
  yield `],"weights":[`;
  for (const [at, row] of rows.entries()) yield `${at > 0 ? "," : ""}${samples.valueOf(row, type)}`;
  yield "]}";
}

/** The name of a group: its labels, and its type if their samples have several. */
function nameOf({ types }: StackProfile, { labels, type }: Group, groups: readonly Group[], name: string): string {
  const values = labels.get(profileLabel) ?? [...labels.values()].flat();
  const text = values
    .map((value) => (typeof value === "string" ? value : `${value.value} ${value.unit}`.trim()))
    .join(", ");
  const isOfSeveral = groups.some((other) => other.labels === labels && other.type !== type);
  const own = labels.size === 0 ? name : text;
  return isOfSeveral ? `${own} (${types[type]!.name})`.trimStart() : own;
}

function frameOf(frame: StackFrame): object {
  const { source, line, column } = frame;
  return {
    name: plainName(frame),
    ...(source === undefined ? {} : { file: source }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { col: column }),
  };
}
