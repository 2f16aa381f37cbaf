/** One sample of an exposition. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** A metric family: what its metadata say, and its samples. */
interface Family {
  readonly name: string;
  type?: string;
  unit?: string;
  help?: string;
  readonly samples: Sample[];
}

const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const real = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads a text of OpenMetrics 1.0 and answers its families of gauges and state sets; throws where it breaks a rule of
 * the specification: one line each with a line feed, metadata once and before the samples, families that do not
 * interleave, a name that ends in its unit, labels and escapes as they are spelled, no sample twice, all states of a
 * set, and `# EOF` at the very end.
 */
export function readOpenMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("# EOF\n")) throw new Error("no EOF at the end");
  const families = new Map<string, Family>();
  const [lines, seen] = [text.slice(0, -"# EOF\n".length).split("\n"), new Set<string>()];
  if (lines.pop() !== "") throw new Error("the last line is not ended");
  let current: Family | undefined;
  for (const line of lines) {
    const [, word, of = "", rest = ""] = /^# (TYPE|UNIT|HELP) (\S+) ?(.*)$/.exec(line) ?? [];
    const family = word === undefined ? sampleName(line) : of;
    if (current?.name !== family) {
      if (families.has(family)) throw new Error(`${family} is interleaved: ${line}`);
      if (!name.test(family)) throw new Error(`no name: ${line}`);
      current = { name: family, samples: [] };
      families.set(family, current);
    }
    if (word === undefined) addSample(current, line, seen);
    else addMetadata(current, word, rest);
  }
  families.forEach(expectFamily);
  return families;
}

function sampleName(line: string): string {
  return /^[^{ ]*/.exec(line)?.[0] ?? "";
}

function addMetadata(family: Family, word: string, rest: string): void {
  const key = word.toLowerCase() as "type" | "unit" | "help";
  if (family[key] !== undefined || family.samples.length > 0)
    throw new Error(`${word} of ${family.name} is late or twice`);
  if (key === "unit" && !family.name.endsWith(`_${rest}`)) throw new Error(`${family.name} does not end in ${rest}`);
  if (key === "help" && !/^(?:[^\\]|\\[\\n"])*$/.test(rest)) throw new Error(`bad escape: ${rest}`);
  family[key] = rest;
}

function addSample(family: Family, line: string, seen: Set<string>): void {
  const at = family.name.length;
  const labels = new Map<string, string>();
  const form = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(,|\})/y;
  form.lastIndex = at + 1;
  if (line[at] !== "{") throw new Error(`no labels: ${line}`);
  for (let end = ","; end === ",";) {
    const [, label = "", value = "", next = ""] = form.exec(line) ?? [];
    if (label === "" || labels.has(label)) throw new Error(`bad label: ${line}`);
    const plain = value.replaceAll(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
    labels.set(label, plain);
    end = next;
    if (end === "}") break;
  }
  const value = line.slice(form.lastIndex);
  if (!value.startsWith(" ") || !real.test(value.slice(1))) throw new Error(`bad value: ${line}`);
  const identity = JSON.stringify([family.name, [...labels].toSorted()]);
  if (seen.has(identity)) throw new Error(`twice: ${line}`);
  seen.add(identity);
  family.samples.push({ name: family.name, labels, value: Number(value) });
}

function expectFamily({ name: family, type, unit, samples }: Family): void {
  if (type !== "gauge" && type !== "stateset") throw new Error(`${family} has type ${type}`);
  if (type === "gauge") return;
  if (unit !== undefined) throw new Error(`${family} is a set of states with a unit`);
  const sets = new Map<string, Set<string>>();
  for (const { labels, value } of samples) {
    const [state, others] = [labels.get(family), [...labels].filter(([label]) => label !== family)];
    if (state === undefined || (value !== 0 && value !== 1)) throw new Error(`${family} has a sample that is no state`);
    const key = JSON.stringify(others.toSorted());
    sets.set(key, (sets.get(key) ?? new Set()).add(state));
  }
  const all = new Set(samples.map(({ labels }) => labels.get(family)));
  for (const states of sets.values()) if (states.size !== all.size) throw new Error(`${family} lacks states`);
}
