import type { ReportMetric } from "../../../core/measurements/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { logImporter, type LogReader, type LogResults } from "../log-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "iterations per second of processor time" },
  { name: "time", unit: "s", better: "lower", synopsis: "processor time per iteration" },
  { name: "iterations", better: "higher", whole: true },
];

const number = String.raw`\s{0,12}([\d.]{1,15})`;

/** `name: 1.75 wallclock secs ( 0.58 usr +  0.00 sys =  0.58 CPU) @ 3706.90/s (n=2150)`; children may have times. */
const timed = new RegExp(
  String.raw`^\s{0,80}(\S.{0,200}?):\s{0,12}[\d.e-]{1,15} wallclock secs \(${number} c?usr(?: \+)?${number} c?sys` +
    String.raw`(?: \+${number} cusr${number} csys)? =${number} CPU\)(?: @${number}/s)? \(n=(\d{1,15})\)$`,
);

/** `timethis` and `timethese` of Perl's module Benchmark; the table of `cmpthese` repeats their rates. */
export const perlBenchmark = logImporter({
  name: "perl-benchmark",
  synopsis: "timethese and cmpthese of Perl's Benchmark",
  marks: "lines such as `name:  1 wallclock secs ( 1.05 usr +  0.00 sys =  1.05 CPU) @ 3706.90/s (n=3892)`",
  metrics,
  reader: (results) => new PerlReader(results),
});

class PerlReader implements LogReader {
  readonly #results: LogResults;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string): void {
    if (/^\s{1,20}\(warning: too few iterations/.test(text))
      this.#results.warn("too few iterations for a reliable count");
    const found = timed.exec(text.trimEnd());
    if (found === null) return;
    const [name = "", , , , , cpu = "", rate = "", count = ""] = found.slice(1);
    const iterations = Number(count);
    // Perl prints no rate if the processor time is zero.
    const time = rate === "" ? printedNumber(cpu) / iterations : 1 / printedNumber(rate);
    this.#results.add(name, [
      ["rate", printedNumber(rate)],
      ["time", time > 0 ? time : Number.NaN],
      ["iterations", iterations],
    ]);
  }
}
