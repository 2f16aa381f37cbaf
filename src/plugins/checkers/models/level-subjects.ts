import { isFailure } from "../../../core/failures/index.ts";
import { commonParameters, kindNames, measuringSession, type RowKind, type Run } from "../../../core/profiles/index.ts";
import { sum } from "../../../math/descriptive/index.ts";
import { type Amounts, factorBetween, levelAmountsBy, type SampledPair } from "./amounts-by-kind.ts";

/** One kind of rows: its values in the target, the baseline and earlier profiles, in the unit of the baseline. */
export interface LevelSubject {
  readonly location: string;
  readonly kind: RowKind;
  readonly profiles: readonly [after: Float64Array, before: Float64Array, ...earlier: Float64Array[]];
  /** Equal positions of target and baseline were measured in the same round of a run. */
  readonly isPaired: boolean;
  /** Of two sampled profiles. */
  readonly sampled?: SampledPair;
}

/** Fewer pairs say less than the noise of the history. */
const fewestPairs = 6;

/** `select`: the amounts to judge, of those in a profile. */
export function levelSubjects(
  baseline: Run,
  target: Run,
  history: readonly Run[],
  select: (all: ReadonlyMap<string, Amounts>) => ReadonlyMap<string, Amounts>,
): LevelSubject[] {
  const parameters = commonParameters(baseline, target);
  const read = (run: Run): ReadonlyMap<string, Amounts> => select(levelAmountsBy(run, parameters));
  const [before, after, ...earlier] = [baseline, target, ...history.slice(1)].map(read) as [
    ReadonlyMap<string, Amounts>,
    ReadonlyMap<string, Amounts>,
    ...ReadonlyMap<string, Amounts>[],
  ];
  const session = measuringSession(target);
  const isShared = session !== null && session === measuringSession(baseline);
  const names = kindNames([...before.values(), ...after.values()].map(({ kind }) => kind));
  return [...after].flatMap(([key, own]) => {
    const base = before.get(key);
    if (base === undefined) return [];
    const others = earlier.flatMap((each) => convertible(each.get(key), base.kind.unit));
    const profiles = [converted(own, base.kind.unit), base.values, ...others].map((values) =>
      levelValues(values, String(target.fixed.get("type") ?? "")),
    ) as [Float64Array, Float64Array, ...Float64Array[]];
    const sampled = own.sampled && base.sampled ? { sampled: [own.sampled, base.sampled] as const } : {};
    const isPaired = isShared && profiles[0].length === profiles[1].length && profiles[0].length >= fewestPairs;
    return [{ location: names.get(key) ?? base.kind.uid, kind: base.kind, profiles, isPaired, ...sampled }];
  });
}

function converted({ values, kind }: Amounts, unit: string): Float64Array {
  const factor = factorBetween(kind.unit, unit);
  return factor === 1 ? values : values.map((value) => value * factor);
}

/** Earlier profiles with another unit are no evidence. */
function convertible(amounts: Amounts | undefined, unit: string): Float64Array[] {
  if (amounts === undefined) return [];
  try {
    return [converted(amounts, unit)];
  } catch (error) {
    if (isFailure(error, "unit-mismatch")) return [];
    throw error;
  }
}

/** Rows of a memory profile are allocations, not repetitions: their sum is one value. */
function levelValues(values: Float64Array, type: string): Float64Array {
  return type === "memory" ? Float64Array.of(sum(values)) : values;
}
