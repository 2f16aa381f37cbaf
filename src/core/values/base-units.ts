/** A base unit: its dimension as exponents of independent dimensions, and its factor to the dimension's own unit. */
export interface BaseUnit {
  readonly name: string;
  /** Other accepted spellings, lower case; matched without regard to case. */
  readonly spellings: readonly string[];
  readonly dimension: Readonly<Record<string, number>>;
  /** The factor to the dimension's own unit, as a fraction of two exactly representable numbers. */
  readonly times: number;
  readonly over: number;
  /** Prefixes that a display may choose: "parts" scales down only (ms, not Ks), "none" never (days, percent, money). */
  readonly display: "decimal" | "binary" | "parts" | "none";
}

function base(name: string, dimension: BaseUnit["dimension"], more: Partial<BaseUnit> = {}): BaseUnit {
  return { name, spellings: [], dimension, times: 1, over: 1, display: "decimal", ...more };
}

/** perfbase's base units. byte, flop and op have the names of the original design. */
export const baseUnits: readonly BaseUnit[] = [
  base("none", {}, { display: "none" }),
  base("%", {}, { over: 100, display: "none" }),
  base("ppm", {}, { over: 1_000_000, display: "none" }),
  base("Byte", { bit: 1 }, { times: 8, spellings: ["byte", "bytes"], display: "binary" }),
  base("bit", { bit: 1 }, { spellings: ["bit", "bits"] }),
  base("FlOP", { flop: 1 }, { spellings: ["flop"] }),
  base("OP", { op: 1 }, { spellings: ["op", "ops"] }),
  base("UP", { update: 1 }, { spellings: ["up", "update", "updates"] }),
  base("process", { process: 1 }, { spellings: ["process", "processes"], display: "none" }),
  base("event", { event: 1 }, { spellings: ["event", "events"] }),
  base("sample", { sample: 1 }, { spellings: ["sample", "samples"], display: "none" }),
  base("cycle", { cycle: 1 }, { spellings: ["cycle", "cycles"] }),
  base("instruction", { instruction: 1 }, { spellings: ["instruction", "instructions"] }),
  base("s", { time: 1 }, { spellings: ["sec", "secs", "second", "seconds"], display: "parts" }),
  base("Hz", { time: -1 }, { spellings: ["hz"] }),
  base("min", { time: 1 }, { times: 60, spellings: ["minute", "minutes", "mins"], display: "none" }),
  base("h", { time: 1 }, { times: 3600, spellings: ["hour", "hours"], display: "none" }),
  base("d", { time: 1 }, { times: 86_400, spellings: ["day", "days"], display: "none" }),
  base("a", { time: 1 }, { times: 31_557_600, spellings: ["year", "years"], display: "none" }),
  base("m", { length: 1 }, { spellings: ["meter", "metre"] }),
  base("g", { mass: 1 }, { spellings: ["gram"] }),
  base("A", { current: 1 }, { spellings: ["ampere"] }),
  base("K", { temperature: 1 }, { spellings: ["kelvin"] }),
  base("mol", { substance: 1 }, { spellings: ["mole"] }),
  base("cd", { light: 1 }, { spellings: ["candela"] }),
  base("$", { dollar: 1 }, { spellings: ["usd"], display: "none" }),
  base("Y", { yen: 1 }, { spellings: ["yen"], display: "none" }),
  base("EUR", { euro: 1 }, { spellings: ["euro"], display: "none" }),
];

export interface Prefix {
  readonly name: string;
  /** perfbase's name of it; absent for binary prefixes. */
  readonly longName?: string;
  readonly spellings: readonly string[];
  readonly times: number;
  readonly over: number;
}

/** Prefixes in the order in which they are tried: `Ki` before `K`. */
export const prefixes: readonly Prefix[] = [
  { name: "Ki", spellings: ["Ki", "ki"], times: 2 ** 10, over: 1 },
  { name: "Mi", spellings: ["Mi"], times: 2 ** 20, over: 1 },
  { name: "Gi", spellings: ["Gi"], times: 2 ** 30, over: 1 },
  { name: "Ti", spellings: ["Ti"], times: 2 ** 40, over: 1 },
  { name: "Pi", spellings: ["Pi"], times: 2 ** 50, over: 1 },
  { name: "K", longName: "Kilo", spellings: ["K", "k"], times: 1e3, over: 1 },
  { name: "M", longName: "Mega", spellings: ["M"], times: 1e6, over: 1 },
  { name: "G", longName: "Giga", spellings: ["G"], times: 1e9, over: 1 },
  { name: "T", longName: "Tera", spellings: ["T"], times: 1e12, over: 1 },
  { name: "P", longName: "Peta", spellings: ["P"], times: 1e15, over: 1 },
  { name: "m", longName: "milli", spellings: ["m"], times: 1, over: 1e3 },
  { name: "u", longName: "micro", spellings: ["u", "\u00b5", "\u03bc"], times: 1, over: 1e6 },
  { name: "n", longName: "nano", spellings: ["n"], times: 1, over: 1e9 },
  { name: "p", longName: "pico", spellings: ["p"], times: 1, over: 1e12 },
  { name: "f", longName: "femto", spellings: ["f"], times: 1, over: 1e15 },
];

/** Capital B is a byte. A small b is ambiguous (bit or byte) and refused. */
const byteSign = "B";

const baseByName = new Map(baseUnits.map((unit) => [unit.name, unit]));
const baseBySpelling = new Map(
  baseUnits.flatMap((unit) => unit.spellings.map((spelling) => [spelling, unit] as const)),
);
const prefixByName = new Map(prefixes.map((prefix) => [prefix.name, prefix]));

/** A base unit by its exact name or one of its spellings. */
function findBase(word: string): BaseUnit | undefined {
  if (word === byteSign) return baseByName.get("Byte");
  return baseByName.get(word) ?? baseBySpelling.get(word.toLowerCase());
}

/** `KiByte` is Ki of Byte, `m` the metre, `ms` the millisecond: a complete base unit wins over a prefix. */
export function findPrefixed(word: string): { readonly base: BaseUnit; readonly prefix: string } | undefined {
  const unprefixed = findBase(word);
  if (unprefixed) return { base: unprefixed, prefix: "" };
  for (const prefix of prefixes) {
    const spelling = prefix.spellings.find((each) => word.startsWith(each));
    const rest = spelling === undefined ? undefined : findBase(word.slice(spelling.length));
    if (rest && rest.name !== "none" && rest.name !== "%" && rest.name !== "ppm")
      return { base: rest, prefix: prefix.name };
  }
  return findSpelled(word);
}

const spelledPrefix = /^(kilo|mega|giga|tera|peta|milli|micro|nano|pico|femto|kibi|mebi|gibi|tebi|pebi)([a-z]{3,})$/i;

/** `milliseconds`, `kilobytes`, `MebiBytes`: prefix and unit in whole words. */
function findSpelled(word: string): ReturnType<typeof findPrefixed> {
  const [, spelled = "", rest = ""] = spelledPrefix.exec(word) ?? [];
  const found = rest === "" ? undefined : findBase(rest);
  const binary = /^(.)[aeio].?bi$/i.exec(spelled)?.[1];
  const prefix = prefixNamed(binary === undefined ? spelled : `${binary.toUpperCase()}i`);
  return found && prefix ? { base: found, prefix: prefix.name } : undefined;
}

export function baseOf(name: string): BaseUnit {
  return findBase(name) ?? base(name, { [name]: 1 }, { display: "none" });
}

export function prefixOf(name: string): Pick<Prefix, "times" | "over"> {
  return prefixByName.get(name) ?? { times: 1, over: 1 };
}

/** A prefix by its name (`Ki`, `m`) or by perfbase's name in any case (`Kilo`, `milli`). */
export function prefixNamed(text: string): Prefix | undefined {
  return prefixByName.get(text) ?? prefixes.find(({ longName: word }) => word?.toLowerCase() === text.toLowerCase());
}

/** All names of units, for suggestions. */
export function unitNames(): string[] {
  const scalable = baseUnits.filter((unit) => unit.display !== "none").map((unit) => unit.name);
  return [
    ...baseUnits.map((unit) => unit.name),
    ...prefixes.flatMap((prefix) => scalable.map((name) => prefix.name + name)),
  ];
}
