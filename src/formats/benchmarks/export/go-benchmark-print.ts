import type { MeasuredRun, Measurement, Quantity } from "../../../core/measurements/measurement.ts";
import { shiftedText } from "../../text/parse-quantity.ts";
import { CaseNames, caseKey } from "./case-names.ts";

/** The number of processors, which Go puts behind the name. */
const processors = "procs";

/** What Go tells in lines of their own, though it may change between results. */
const configurationKeys: ReadonlySet<string> = new Set(["pkg", "goos", "goarch", "cpu"]);

/** Parameters that stand there, too, are those whose contents a name cannot hold. */
function isConfigured([name, value]: readonly [name: string, value: string]): boolean {
  return configurationKeys.has(name) || (/[\s/]/.test(value) && keyOf(name) === name);
}

/**
 * Writes the Go Benchmark Data Format (design 14313 of Go), which benchstat reads: facts and commits as configuration
 * lines, parameters as `/key=value`, a line for each measurement. Units are those that Go prints (`ns/op`, `MB/s`,
 * `B/op`), which all readers know. What Go could not read is spelt otherwise: blanks as `_`, first letters as capitals.
 */
export class GoBenchmarkPrinter {
  readonly #units: readonly GoUnit[];
  readonly #iterations: number;
  readonly #names = new CaseNames();
  readonly #quantities: readonly Quantity[];
  #configuration: ReadonlyMap<string, string> = new Map();
  #facts: ReadonlyMap<string, string> = new Map();
  /** What the rows before were called: those of one case mostly follow each other. */
  #last: (Pick<Measurement, "benchmark" | "parameters"> & { readonly name: string }) | undefined;

  constructor(quantities: readonly Quantity[]) {
    this.#quantities = quantities;
    this.#units = unitsOf(quantities);
    this.#iterations = quantities.findIndex(({ name, unit }) => name === "iterations" && unit === "");
  }

  /** What stands before the first run. */
  head(): string {
    return this.#quantities
      .flatMap(({ better }, at) =>
        better === undefined || at === this.#iterations ? [] : [`Unit ${this.#units[at]!.name} better=${better}\n`],
      )
      .join("");
  }

  run({ commit, facts }: MeasuredRun): void {
    this.#last = undefined;
    this.#facts = new Map([
      ...[...facts].map(([name, value]) => [keyOf(name), lineText(value)] as const),
      ...(commit === undefined ? [] : [["commit", commit] as const]),
    ]);
  }

  /** Nothing where there is no number. */
  row(measurement: Measurement): string {
    const { values } = measurement;
    const numbers = values.flatMap((value, at) =>
      Number.isFinite(value) && at !== this.#iterations ? [numberIn(this.#units[at]!, value)] : [],
    );
    if (numbers.length === 0) return "";
    const count = values[this.#iterations] ?? 1;
    const iterations = Number.isSafeInteger(count) && count >= 0 && count < 1e15 ? count : 1;
    return `${this.#beginning(measurement)} ${[String(iterations), ...numbers].join(" ")}\n`;
  }

  #beginning(measurement: Measurement): string {
    const { benchmark, parameters } = measurement;
    if (this.#last?.benchmark === benchmark && this.#last.parameters === parameters) return this.#last.name;
    const changes = this.#changes(measurement);
    this.#last = { benchmark, parameters, name: this.#name(measurement) };
    return `${changes}${this.#last.name}`;
  }

  /** Configuration lines for what is not in force yet; an empty one takes a key back. */
  #changes({ parameters }: Measurement): string {
    const own = [...parameters].filter(isConfigured).map(([name, value]) => [name, lineText(value)] as const);
    const wanted = new Map([...this.#facts, ...own]);
    const gone = [...this.#configuration.keys()].filter((key) => !wanted.has(key)).map((key) => `${key}:\n`);
    const changed = [...wanted]
      .filter(([key, value]) => this.#configuration.get(key) !== value)
      .map(([key, value]) => `${key}: ${value}\n`);
    this.#configuration = wanted;
    return [...gone, ...changed].join("");
  }

  #name(measurement: Measurement): string {
    const parts = [...measurement.parameters].filter((each) => !isConfigured(each));
    const count = measurement.parameters.get(processors) ?? "";
    const hasCount = /^\d{1,6}$/.test(count);
    const rest = hasCount ? parts.filter(([key]) => key !== processors) : moveSafeLast(parts);
    const name = nameWith(baseOf(measurement.benchmark), rest);
    const plain = hasCount ? name : name.replace(trailingProcessors, (number) => `_${number.slice(1)}`);
    const owner = `${caseKey({ ...measurement, parameters: new Map(rest) })} ${plain}`;
    const unique = this.#names.of(owner, `Benchmark${plain}`);
    return hasCount ? `${unique}-${count}` : unique;
  }
}

/** A number at the end of a name would be read as that of processors. */
const trailingProcessors = /-\d{1,6}$/;

/** The last parameter that does not end so comes last, if there is one. */
function moveSafeLast(parameters: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const at = parameters.findLastIndex(([, value]) => !trailingProcessors.test(wordOf(value)));
  const last = parameters[at];
  return last === undefined ? parameters : [...parameters.slice(0, at), ...parameters.slice(at + 1), last];
}

/**
 * Parameters end a name, but stand before parts of it that look like one of them, since of equal keys the first is a
 * parameter to readers, and before parts that keep a number at their end from being one of processors.
 */
function nameWith(benchmark: string, parameters: readonly (readonly [string, string])[]): string {
  const told = parameters.map(([key, value]) => `/${wordOf(key)}=${wordOf(value)}`).join("");
  const [base = "", ...parts] = benchmark.split("/");
  const isAlike = parts.some((part) => parameters.some(([key]) => part.startsWith(`${wordOf(key)}=`)));
  const isInner = isAlike || (parts.length > 0 && trailingProcessors.test(told));
  return isInner ? [`${base}${told}`, ...parts].join("/") : `${benchmark}${told}`;
}

/** Slashes of a benchmark's own name stay. */
function baseOf(benchmark: string): string {
  return (withoutBlanks(benchmark) || "_").replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

function wordOf(text: string): string {
  return withoutBlanks(text).replaceAll("/", "_");
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, "_");
}

function lineText(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
}

/** Keys begin with a small letter and have no capitals. */
function keyOf(name: string): string {
  const key = name.toLowerCase().replaceAll(/[\s\p{C}\p{Lu}:]+/gu, "-");
  return /^[a-z]/.test(key) ? key : `x-${key}`;
}

/** A unit as it is printed; numbers are written times ten to `exponent`. */
interface GoUnit {
  readonly name: string;
  /** As readers have it: for numbers that would be too large otherwise. */
  readonly tidy: string;
  readonly exponent: number;
}

/** Units that readers tidy: `ns/op` is `sec/op` to them, `MB/s` is `B/s`. */
const printed: readonly (readonly [tidy: RegExp, printed: string, exponent: number])[] = [
  [/^sec\/op$/, "ns/op", 9],
  [/-sec\/op$/, "-ns/op", 9],
  [/^B\/s$/, "MB/s", -6],
];

function numberIn({ name, tidy, exponent }: GoUnit, value: number): string {
  const text = shiftedText(value, exponent);
  return Number.isFinite(Number(text)) ? `${text} ${name}` : `${value} ${tidy}`;
}

/** Each its own. */
function unitsOf(quantities: readonly Quantity[]): GoUnit[] {
  const names = new CaseNames();
  return quantities.map((quantity) => {
    const tidy = names.of(quantity.name, goUnit(quantity));
    const [from, to, exponent] = printed.find(([each]) => each.test(tidy)) ?? [tidy, tidy, 0];
    return { name: tidy.replace(from, to), tidy, exponent };
  });
}

/** Tidy: `sec/op`, `B/s`; `p99-sec/op` for a time called p99. What an operation costs says so in its synopsis. */
function goUnit({ name, unit, synopsis = "" }: Quantity): string {
  const per = synopsis.endsWith("operation") ? "/op" : "";
  switch (unit) {
    case "s":
      if (name === "time") return "sec/op";
      return name === "seconds" ? `sec${per}` : name.endsWith("-sec") ? `${name}${per}` : `${name}-sec/op`;
    case "Byte":
      if (name === "bytes") return "B/op";
      return `${/(?:^|-)(?:B|bytes)$/.test(name) ? name : `${name}-bytes`}${per}`;
    case "Byte/s":
      return name === "rate" ? "B/s" : `${name}-B/s`;
    case "1/s":
      return /_s(?:ec)?$/.test(name) ? name.replace(/_(?=s(?:ec)?$)/, "/") : `${name}/s`;
    case "":
      return name === "allocations" ? "allocs/op" : `${name}${per}`;
    default:
      return name;
  }
}
