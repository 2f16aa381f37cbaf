import type { MeasuredRun, Measurement, Quantity } from "../../../core/measurements/index.ts";
import { shiftedText } from "../../text/index.ts";
import { CaseNames, caseKey } from "./case-names.ts";

/** The parameter for the number of processors, which Go appends to the name. */
const processors = "procs";

/** Parameters that Go prints as configuration lines. */
const configurationKeys: ReadonlySet<string> = new Set(["pkg", "goos", "goarch", "cpu"]);

/** Parameters with values that a name cannot hold are configuration lines, too. */
function isConfigured([name, value]: readonly [name: string, value: string]): boolean {
  return configurationKeys.has(name) || (/[\s/]/.test(value) && keyOf(name) === name);
}

/**
 * Prints the Go Benchmark Data Format (Go design 14313), which benchstat reads: facts and commits as configuration
 * lines, parameters as `/key=value`, one line per measurement. Units are those of Go (`ns/op`, `MB/s`, `B/op`). Invalid
 * names are changed: blanks become `_`, the first letter a capital.
 */
export class GoBenchmarkPrinter {
  readonly #units: readonly GoUnit[];
  readonly #iterations: number;
  readonly #names = new CaseNames();
  readonly #quantities: readonly Quantity[];
  #configuration: ReadonlyMap<string, string> = new Map();
  #facts: ReadonlyMap<string, string> = new Map();
  /** The name of the previous row; rows of one case are usually consecutive. */
  #last: (Pick<Measurement, "benchmark" | "parameters"> & { readonly name: string }) | undefined;

  constructor(quantities: readonly Quantity[]) {
    this.#quantities = quantities;
    this.#units = unitsOf(quantities);
    this.#iterations = quantities.findIndex(({ name, unit }) => name === "iterations" && unit === "");
  }

  /** `Unit` lines, printed before the first run. */
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

  /** The lines of a measurement; empty if it has no number. */
  row(measurement: Measurement): string {
    const { values } = measurement;
    const numbers = values.flatMap((value, at) =>
      Number.isFinite(value) && at !== this.#iterations ? [numberIn(this.#units[at]!, value)] : [],
    );
    if (numbers.length === 0) return "";
    const count = values[this.#iterations] ?? 1;
    const iterations = Number.isSafeInteger(count) && count >= 0 && count < 1e15 ? count : 1;
    return `${this.#start(measurement)} ${[String(iterations), ...numbers].join(" ")}\n`;
  }

  #start(measurement: Measurement): string {
    const { benchmark, parameters } = measurement;
    if (this.#last?.benchmark === benchmark && this.#last.parameters === parameters) return this.#last.name;
    const changes = this.#changes(measurement);
    this.#last = { benchmark, parameters, name: this.#name(measurement) };
    return `${changes}${this.#last.name}`;
  }

  /** Lines for changes of the configuration; an empty value removes a key. */
  #changes({ parameters }: Measurement): string {
    const own = [...parameters].filter(isConfigured).map(([name, value]) => [name, lineText(value)] as const);
    const next = new Map([...this.#facts, ...own]);
    const removed = [...this.#configuration.keys()].filter((key) => !next.has(key)).map((key) => `${key}:\n`);
    const changed = [...next]
      .filter(([key, value]) => this.#configuration.get(key) !== value)
      .map(([key, value]) => `${key}: ${value}\n`);
    this.#configuration = next;
    return [...removed, ...changed].join("");
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

/** A number at the end of a name would be read as the number of processors. */
const trailingProcessors = /-\d{1,6}$/;

/** Moves the last parameter without such a number to the end, if there is one. */
function moveSafeLast(parameters: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const at = parameters.findLastIndex(([, value]) => !trailingProcessors.test(wordOf(value)));
  const last = parameters[at];
  return last === undefined ? parameters : [...parameters.slice(0, at), ...parameters.slice(at + 1), last];
}

/**
 * Appends parameters to a name. They are inserted before its other parts if one of these looks like a parameter (of
 * equal keys, readers use the first), or if the last parameter ends with a number of processors.
 */
function nameWith(benchmark: string, parameters: readonly (readonly [string, string])[]): string {
  const suffix = parameters.map(([key, value]) => `/${wordOf(key)}=${wordOf(value)}`).join("");
  const [base = "", ...parts] = benchmark.split("/");
  const isAlike = parts.some((part) => parameters.some(([key]) => part.startsWith(`${wordOf(key)}=`)));
  const isInner = isAlike || (parts.length > 0 && trailingProcessors.test(suffix));
  return isInner ? [`${base}${suffix}`, ...parts].join("/") : `${benchmark}${suffix}`;
}

/** Keeps slashes in the name of a benchmark. */
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

/** Configuration keys are lower case and start with a letter. */
function keyOf(name: string): string {
  const key = name.toLowerCase().replaceAll(/[\s\p{C}\p{Lu}:]+/gu, "-");
  return /^[a-z]/.test(key) ? key : `x-${key}`;
}

/** A printed unit; numbers are multiplied by ten to the power of `exponent`. */
interface GoUnit {
  readonly name: string;
  /** The unit after tidying, used for numbers that would overflow in the printed unit. */
  readonly tidy: string;
  readonly exponent: number;
}

/** Units that readers tidy: `ns/op` becomes `sec/op`, `MB/s` becomes `B/s`. */
const printed: readonly (readonly [tidy: RegExp, printed: string, exponent: number])[] = [
  [/^sec\/op$/, "ns/op", 9],
  [/-sec\/op$/, "-ns/op", 9],
  [/^B\/s$/, "MB/s", -6],
];

function numberIn({ name, tidy, exponent }: GoUnit, value: number): string {
  const text = shiftedText(value, exponent);
  return Number.isFinite(Number(text)) ? `${text} ${name}` : `${value} ${tidy}`;
}

/** A unique unit for each quantity. */
function unitsOf(quantities: readonly Quantity[]): GoUnit[] {
  const names = new CaseNames();
  return quantities.map((quantity) => {
    const tidy = names.of(quantity.name, goUnit(quantity));
    const [from, to, exponent] = printed.find(([each]) => each.test(tidy)) ?? [tidy, tidy, 0];
    return { name: tidy.replace(from, to), tidy, exponent };
  });
}

/** The tidy unit: `sec/op`, `B/s`; `p99-sec/op` for the time p99. Costs per operation have a synopsis that says so. */
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
