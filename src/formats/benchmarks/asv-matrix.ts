import type { MeasuredCase, Quantity } from "../../core/measurement.ts";

/** A benchmark as asv has it: `cells` are its cases in the order of all combinations of `lists`, the last parameter changing first. */
export interface AsvMatrix {
  readonly name: string;
  /** Of the parameters. */
  readonly names: readonly string[];
  /** What each parameter was, as Python writes it. */
  readonly lists: readonly (readonly string[])[];
  readonly cells: readonly (MeasuredCase | undefined)[];
}

/** Combinations without a case are cells, too: where there would be many more of them than cases, parameters become part of the name. */
const mostEmpty = 4;

/** The benchmarks that have numbers of a quantity. */
export function asvMatrix(quantity: Quantity, cases: readonly MeasuredCase[]): AsvMatrix[] {
  const groups = new Map<string, MeasuredCase[]>();
  for (const each of cases) {
    if (!each.samples.has(quantity.name)) continue;
    const key = JSON.stringify([each.benchmark, ...each.parameters.keys()]);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [each]);
    else own.push(each);
  }
  const named = new Set<string>();
  return [...groups.values()].flatMap((group) => {
    const name = asvName(group[0]!.benchmark, quantity);
    const matrix = named.has(name) ? undefined : matrixOf(name, group);
    const found = matrix === undefined ? group.map((each) => single(quantity, each)) : [matrix];
    return found.filter((each) => !named.has(each.name) && named.add(each.name));
  });
}

/** undefined: there are too many combinations without a case. */
function matrixOf(name: string, group: readonly MeasuredCase[]): AsvMatrix | undefined {
  const names = [...group[0]!.parameters.keys()];
  const lists = names.map((each) => [
    ...new Set(group.map(({ parameters }) => pythonText(parameters.get(each) ?? ""))),
  ]);
  const size = lists.reduce((product, { length }) => product * length, 1);
  if (size > mostEmpty * group.length + 16) return undefined;
  const places = lists.map((list) => new Map(list.map((text, at) => [text, at])));
  const cells = Array.from({ length: size }, (): MeasuredCase | undefined => undefined);
  for (const each of group) {
    const at = names.reduce((place, parameter, i) => {
      const text = pythonText(each.parameters.get(parameter) ?? "");
      return place * lists[i]!.length + (places[i]!.get(text) ?? 0);
    }, 0);
    cells[at] = each;
  }
  return { name, names, lists, cells };
}

function single(quantity: Quantity, each: MeasuredCase): AsvMatrix {
  const told = [...each.parameters].map(([name, value]) => `${name}=${value}`).join(",");
  return { name: asvName(`${each.benchmark}(${told})`, quantity), names: [], lists: [], cells: [each] };
}

/** Numbers as they are, and what is quoted already; other texts in quotes. */
function pythonText(text: string): string {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$|^'.*'$|^(?:None|True|False)$/s.test(text)
    ? text
    : `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** What names of asv's own begin with, and what others get. */
const prefixes: ReadonlyMap<string, readonly [known: RegExp, given: string]> = new Map([
  ["time s", [/^[Tt]ime(?:raw)?(?=[A-Z_])/, "time"]],
  ["bytes Byte", [/^[Mm]em(?=[A-Z_])/, "mem"]],
  ["peak_memory Byte", [/^[Pp]eakmem(?=[A-Z_])/, "peakmem"]],
  ["value ", [/^[Tt]rack(?=[A-Z_])/, "track"]],
]);

/** `suite.time_parse` stays; other names get what the quantity is before their last word: `suite.track_rate_parse`. */
function asvName(benchmark: string, { name, unit }: Quantity): string {
  const [known, given] = prefixes.get(`${name} ${unit}`) ?? [undefined, `track_${name}`];
  const plain = benchmark.replaceAll(/[\s\p{C}]+/gu, "_");
  const dot = plain.lastIndexOf(".", plain.search(/[(]|$/)) + 1;
  const last = plain.slice(dot);
  return known?.test(last) === true ? plain : `${plain.slice(0, dot)}${given}_${last}`;
}
