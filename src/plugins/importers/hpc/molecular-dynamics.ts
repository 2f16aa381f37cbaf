import type { ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { prefixedNumber, printedNumber } from "../../../formats/text/index.ts";
import { logImporter, numbersOf, wordsOf, type LogReader, type LogResults } from "../log-importer.ts";

const seconds = (name: string): ReportMetric => ({ name, unit: "s", better: "lower" });
const perSecond = (name: string): ReportMetric => ({ name, unit: "1/s", better: "higher" });
const nanosecondsPerDay: ReportMetric = { name: "ns_per_day", unit: "ns/d", better: "higher" };
const hoursPerNanosecond: ReportMetric = { name: "hours_per_ns", unit: "h/ns", better: "lower" };

/** Rates on the performance line of LAMMPS. */
const lammpsRates: ReadonlyMap<string, string> = new Map([
  ["ns/day", "ns_per_day"],
  ["hours/ns", "hours_per_ns"],
  ["timesteps/s", "timesteps_per_s"],
  ["tau/day", "tau_per_day"],
  ["atom-step/s", "atom_steps_per_s"],
]);

/** LAMMPS 2001 to 2025: screen output and log.lammps. */
export const lammps = logImporter({
  name: "lammps",
  synopsis: "LAMMPS (lmp)",
  marks: "a line `Loop time of 18.99 on 4 procs for 100 steps with 2432 atoms`",
  metrics: [
    seconds("loop_time"),
    nanosecondsPerDay,
    hoursPerNanosecond,
    perSecond("timesteps_per_s"),
    { name: "tau_per_day", unit: "1/d", better: "higher" },
    perSecond("atom_steps_per_s"),
  ],
  banner: /^LAMMPS \(\d{1,2} \w{3} \d{4}\b/,
  reader: (results) => new LammpsReader(results),
});

const loopLine = new RegExp(
  String.raw`^Loop time of ([\d.e+-]{1,30}) on (\d{1,9}) procs?(?: \(.{1,60}?\))? ` +
    String.raw`for (\d{1,15}) steps with (\d{1,18}) atoms\b`,
);

interface MeasuredRun {
  readonly values: Map<string, number>;
  readonly parameters: Map<string, Value>;
}

class LammpsReader implements LogReader {
  readonly #results: LogResults;
  #loop: MeasuredRun | undefined;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const [, version] = /^LAMMPS \((\d{1,2} \w{3} \d{4}[^)]{0,40})\)/.exec(text) ?? [];
    if (version !== undefined) this.#results.fact("lammps", version);
    if (text.startsWith("Loop time of ")) this.#start(text);
    if (this.#loop === undefined) return;
    if (text.startsWith("Performance: ") && !isCut) this.#rates(this.#loop, text);
    const [, threads] = /MPI tasks x (\d{1,6}) OpenMP threads/.exec(text) ?? [];
    if (threads !== undefined) this.#loop.parameters.set("threads", Number(threads));
  }

  end(): void {
    if (this.#loop !== undefined) this.#results.add("LAMMPS", this.#loop.values, this.#loop.parameters);
  }

  #start(text: string): void {
    const [, time = "", procs, steps, atoms] = loopLine.exec(text) ?? [];
    if (procs === undefined) return this.#results.warn("skipped an incomplete line");
    this.end();
    this.#loop = {
      values: new Map([["loop_time", printedNumber(time)]]),
      parameters: new Map([
        ["procs", Number(procs)],
        ["steps", Number(steps)],
        ["atoms", Number(atoms)],
      ]),
    };
  }

  #rates({ values }: MeasuredRun, text: string): void {
    for (const [, value = "", prefix = "", unit = ""] of text.matchAll(
      /([\d.e+-]{1,30})\s{1,4}([kMGT]?)(ns\/day|hours\/ns|timesteps\/s|tau\/day|atom-steps?\/s)/g,
    ))
      values.set(
        lammpsRates.get(unit.replace("steps/s", "step/s")) ?? "timesteps_per_s",
        prefixedNumber(value, prefix),
      );
  }
}

/** GROMACS 4 to 2025: md.log and the output of mdrun. */
export const gromacs = logImporter({
  name: "gromacs",
  synopsis: "GROMACS (gmx mdrun)",
  marks: "`Core t (s)   Wall t (s)`, then `Time:` and `Performance:` below `(ns/day)`",
  metrics: [
    seconds("core_time"),
    seconds("wall_time"),
    nanosecondsPerDay,
    hoursPerNanosecond,
    { name: "steps_per_hour", unit: "1/h", better: "higher" },
  ],
  banner: /:-\) {1,4}(?:GROMACS|G {1,2}R {1,2}O {1,2}M {1,2}A {1,2}C {1,2}S)\b.{0,60}\(-:/,
  reader: (results) => new GromacsReader(results),
});

const gromacsTitles: ReadonlyMap<string, string> = new Map([
  ["ns/day", "ns_per_day"],
  ["hour/ns", "hours_per_ns"],
  ["steps/hour", "steps_per_hour"],
]);

class GromacsReader implements LogReader {
  readonly #results: LogResults;
  #isTimes = false;
  #titles: readonly string[] = [];
  #values = new Map<string, number>();
  #parameters = new Map<string, Value>();

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    this.#setting(text);
    if (/^\s{1,40}(?:Core t|NODE) \(s\)\s{1,20}(?:Wall t|Real) \(s\)/.test(text)) {
      this.end();
      this.#isTimes = true;
    } else if (/^\s{1,60}(?:\([A-Za-z]{1,10}\/?[A-Za-z]{0,10}\)\s{0,20}){1,6}$/.test(text))
      this.#titles = [...text.matchAll(/\(([^()]{1,21})\)/g)].map(([, title]) => title!);
    else if (/^\s{0,20}Time:\s/.test(text) && this.#isTimes && !isCut) this.#times(wordsOf(text).slice(1));
    else if (text.startsWith("Performance:") && !isCut) this.#performance(wordsOf(text).slice(1));
  }

  /** Times without a performance: a minimisation, or a log that was cut. */
  end(): void {
    this.#results.add("GROMACS", this.#values, this.#parameters);
    [this.#values, this.#titles, this.#isTimes] = [new Map(), [], false];
  }

  #setting(text: string): void {
    const [, version] = /GROMACS.{0,30}?(?:,|version:?)\s{1,20}(?:VERSION )?(\d[\w.-]{0,30})/i.exec(text) ?? [];
    if (version !== undefined) this.#results.fact("gromacs", version);
    const [, ranks] = /^(?:Using|On) (\d{1,7}) MPI (?:thread|process|rank)/.exec(text) ?? [];
    if (ranks !== undefined) this.#parameters.set("procs", Number(ranks));
    const [, threads] = /(?:^Using|each using) (\d{1,6}) OpenMP thread/.exec(text) ?? [];
    if (threads !== undefined) this.#parameters.set("threads", Number(threads));
  }

  #times(words: readonly string[]): void {
    const [core = Number.NaN, wall = Number.NaN] = numbersOf(words) ?? [];
    this.#values.set("core_time", core).set("wall_time", wall);
  }

  #performance(words: readonly string[]): void {
    const numbers = numbersOf(words) ?? [];
    for (const [at, title] of this.#titles.entries()) {
      const name = gromacsTitles.get(title);
      if (name !== undefined && numbers[at] !== undefined) this.#values.set(name, numbers[at]);
    }
    this.end();
    this.#parameters = new Map();
  }
}

/** Figures of a benchmark line of NAMD by unit. */
const namdFigures: ReadonlyMap<string, string> = new Map([
  ["s/step", "s_per_step"],
  ["days/ns", "days_per_ns"],
  ["ns/day", "ns_per_day"],
  ["hours/ns", "hours_per_ns"],
]);

/** NAMD 2 and 3. */
export const namd = logImporter({
  name: "namd",
  synopsis: "NAMD (namd2, namd3)",
  marks: "lines `Info: Benchmark time: 128 CPUs 0.01 s/step 0.06 days/ns …`",
  metrics: [
    seconds("s_per_step"),
    { name: "days_per_ns", unit: "d/ns", better: "lower" },
    nanosecondsPerDay,
    hoursPerNanosecond,
    { name: "memory", unit: "Byte", better: "lower" },
    seconds("wall_time"),
  ],
  banner: /^Info: NAMD \d/,
  reader: (results) => new NamdReader(results),
});

class NamdReader implements LogReader {
  readonly #results: LogResults;
  #procs: number | undefined;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const [, version] = /^Info: NAMD (\d\S{0,30})/.exec(text) ?? [];
    if (version !== undefined) {
      this.#results.fact("namd", version);
      this.#procs = undefined;
    }
    const [, running] = /^Info: Running on (\d{1,9}) processors/.exec(text) ?? [];
    if (running !== undefined) this.#procs = Number(running);
    const [, procs, rest = ""] = /^Info: Benchmark time: (\d{1,9}) CPUs (\S.{0,200})$/.exec(text) ?? [];
    // The memory is the last figure of a complete line.
    if (procs !== undefined && (!isCut || rest.trimEnd().endsWith("memory"))) {
      this.#procs = Number(procs);
      this.#results.add("NAMD", figuresIn(rest), [["procs", this.#procs]]);
    } else if (text.startsWith("Info: Benchmark time:")) this.#results.warn("skipped an incomplete line");
    const [, wall] = /^WallClock: ([\d.e+-]{1,30}) {1,9}CPUTime: /.exec(text) ?? [];
    if (wall !== undefined) this.#results.add("NAMD", [["wall_time", printedNumber(wall)]], [["procs", this.#procs]]);
  }
}

function figuresIn(text: string): [string, number][] {
  const figures: [string, number][] = [];
  for (const [, value = "", unit = ""] of text.matchAll(
    /([\d.e+-]{1,30}) (s\/step|days\/ns|ns\/day|hours\/ns|[kM]B)\b/g,
  )) {
    const name = namdFigures.get(unit);
    if (name !== undefined) figures.push([name, printedNumber(value)]);
    else figures.push(["memory", printedNumber(value) * (unit === "kB" ? 1024 : 2 ** 20)]);
  }
  return figures.filter(([name, value]) => name !== "memory" || value > 0);
}
