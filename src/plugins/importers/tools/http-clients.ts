import type { ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber, printedSeconds } from "../../../formats/text/index.ts";
import type { Importer } from "../importer.ts";
import { LogResults, logImporter, type LogReader } from "../log-importer.ts";

/* Summaries of HTTP load generators: blocks of lines `label: value`, one block a run. */

const time = (name: string): ReportMetric => ({ name, unit: "s", better: "lower" });

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "1/s", better: "higher", synopsis: "requests per second" },
  { name: "transfer", unit: "Byte/s", better: "higher" },
  ...["latency_mean", "latency_min", "latency_max", "latency_stddev"].map(time),
  ...["50", "75", "90", "95", "99"].map((percent) => time(`latency_p${percent}`)),
  { name: "requests", whole: true },
  { name: "failed", better: "lower", whole: true, synopsis: "requests without an answer, or with a wrong one" },
  { name: "refused", better: "lower", whole: true, synopsis: "answers with another status than 2xx" },
  { name: "duration", unit: "s" },
];

/** What a line of a block says. */
interface Said {
  readonly values?: readonly (readonly [metric: string, value: number])[];
  readonly parameters?: readonly (readonly [name: string, value: Value])[];
  /** Parts of the name of the benchmark. */
  readonly name?: string;
}

interface Summary {
  readonly begin: RegExp;
  /** A line that no other program prints, if `begin` is not enough. */
  readonly banner?: RegExp;
  /** Used if no line names the benchmark. */
  readonly name: string;
  said(line: string): Said | undefined;
}

class SummaryReader implements LogReader {
  readonly #results: LogResults;
  readonly #summary: Summary;
  #values: Map<string, number> | undefined;
  #parameters = new Map<string, Value>();
  #name = "";

  constructor(results: LogResults, summary: Summary) {
    this.#results = results;
    this.#summary = summary;
  }

  line(text: string, isCut: boolean): void {
    const line = text.trimEnd();
    if (this.#summary.begin.test(line)) {
      this.end();
      this.#values = new Map();
    }
    const said = this.#values === undefined ? undefined : this.#summary.said(line);
    if (said === undefined) return;
    // A cut number looks like a number.
    if (isCut) return this.#results.warn("skipped an incomplete row");
    for (const [metric, value] of said.values ?? [])
      if (!this.#values!.has(metric)) {
        this.#results.metric(metric.startsWith("latency_") ? time(metric) : { name: metric });
        this.#values!.set(metric, value);
      }
    for (const [name, value] of said.parameters ?? []) this.#parameters.set(name, value);
    this.#name += said.name ?? "";
  }

  end(): void {
    if (this.#values?.has("rate")) {
      this.#results.add(this.#name === "" ? this.#summary.name : this.#name, this.#values, this.#parameters);
    } else if (this.#values !== undefined) this.#results.warn("skipped a summary without a rate");
    [this.#values, this.#parameters, this.#name] = [undefined, new Map(), ""];
  }
}

function summaryImporter(about: { name: string; synopsis: string; marks: string } & Summary): Importer {
  const { begin, banner = begin, said, ...rest } = about;
  return logImporter({
    ...rest,
    metrics,
    banner,
    reader: (results) => new SummaryReader(results, { begin, said, name: about.name }),
  });
}

const milliseconds = 1e3;

/** ab of the Apache HTTP server, 2.2 to 2.4. Its kilobytes are 1024 bytes. */
export const ab = summaryImporter({
  name: "ab",
  synopsis: "ab, ApacheBench",
  marks: "a line `This is ApacheBench`, and one as `Requests per second:    1234.56 [#/sec] (mean)`",
  begin: /^This is ApacheBench, Version /,
  said(line) {
    const [, percent = "", served] = /^ {0,8}(\d{1,3})% {1,20}(\d{1,12})(?: \(longest request\))?$/.exec(line) ?? [];
    if (served !== undefined)
      return { values: [[percent === "100" ? "latency_max" : `latency_p${percent}`, Number(served) / milliseconds]] };
    const total = /^Total: {1,20}(\d{1,12}) {1,20}(\d{1,12}) {1,20}([\d.]{1,12}) {1,20}\d{1,12} {1,20}\d{1,12}$/.exec(
      line,
    );
    if (total)
      return {
        values: [
          ["latency_min", Number(total[1]) / milliseconds],
          ["latency_stddev", printedNumber(total[3]!) / milliseconds],
        ],
      };
    const [, label = "", text = ""] = /^([A-Z][\w -]{1,40}): {1,40}(\S.{0,2000})$/.exec(line) ?? [];
    return label === "" ? undefined : abLine(label, text);
  },
});

function abLine(label: string, text: string): Said | undefined {
  const [first = ""] = text.split(" ");
  switch (label) {
    case "Server Hostname":
    case "Document Path":
      return { name: text };
    case "Server Port":
      return { name: `:${text}` };
    case "Concurrency Level":
      return { parameters: [["concurrency", Number(first)]] };
    case "Time taken for tests":
      return { values: [["duration", printedNumber(first)]] };
    case "Complete requests":
      return { values: [["requests", Number(first)]] };
    case "Failed requests":
      return { values: [["failed", Number(first)]] };
    case "Non-2xx responses":
      return { values: [["refused", Number(first)]] };
    case "Requests per second":
      return { values: [["rate", printedNumber(first)]] };
    case "Transfer rate":
      return text.includes("[Kbytes/sec] received")
        ? { values: [["transfer", printedNumber(first) * 1024]] }
        : undefined;
    case "Time per request":
      // The other line of this name divides by the concurrency.
      return text.endsWith("[ms] (mean)")
        ? { values: [["latency_mean", printedNumber(first) / milliseconds]] }
        : undefined;
    default:
      return undefined;
  }
}

const heySummary: ReadonlyMap<string, string> = new Map([
  ["Total", "duration"],
  ["Slowest", "latency_max"],
  ["Fastest", "latency_min"],
  ["Average", "latency_mean"],
]);

/** hey 0.1. */
export const hey = summaryImporter({
  name: "hey",
  synopsis: "hey",
  marks: "lines `Summary:`, `  Slowest:\t0.0133 secs`, `  Requests/sec:\t3928.3432`",
  begin: /^Summary:$/,
  banner: /^ {2}Total:\t[\d.]{1,20} secs$/,
  said(line) {
    const [, percent, served = ""] = /^ {2}(\d{1,2})%+ in ([\d.]{1,20}) secs$/.exec(line) ?? [];
    if (percent !== undefined) return { values: [[`latency_p${percent}`, printedNumber(served)]] };
    const [, rate] = /^ {2}Requests\/sec:\t([\d.]{1,20})$/.exec(line) ?? [];
    if (rate !== undefined) return { values: [["rate", printedNumber(rate)]] };
    const [, label = "", seconds = ""] = /^ {2}([A-Z][a-z]{3,8}):\t([\d.]{1,20}) secs$/.exec(line) ?? [];
    const metric = heySummary.get(label);
    if (metric !== undefined) return { values: [[metric, printedNumber(seconds)]] };
    const [, status = "", answers] = /^ {2}\[(\d{3})\]\t(\d{1,15}) responses$/.exec(line) ?? [];
    if (answers === undefined) return undefined;
    return { values: [[status.startsWith("2") ? "requests" : `status_${status}`, Number(answers)]] };
  },
});

/** `vegeta report`, type text, of vegeta 6 to 12. */
export const vegeta = summaryImporter({
  name: "vegeta",
  synopsis: "vegeta report (text)",
  marks: "lines `Requests      [total, rate, throughput]  300, 50.17, 50.16`, `Latencies  [min, mean, 50, …]  …`",
  begin: /^Requests\s{1,20}\[total, rate/,
  said(line) {
    const [, label = "", titles = "", numbers = ""] =
      /^([A-Z][\w ]{2,20}?)\s{1,20}\[([\w, :]{1,80})\]\s{1,40}(\S.{0,500})$/.exec(line) ?? [];
    const cells = numbers.split(/, ?/);
    const cell = (title: string): string => cells[titles.split(", ").indexOf(title)] ?? "";
    if (label === "Requests")
      return {
        values: [
          ["requests", printedNumber(cell("total"))],
          ["rate", printedNumber(cell("throughput") || cell("rate"))],
        ],
      };
    if (label === "Duration") return { values: [["duration", goSeconds(cell("total"))]] };
    if (label === "Success") return { values: [["success", printedNumber(numbers.replace(/%$/, "")) / 100]] };
    if (label !== "Latencies") return undefined;
    return {
      values: titles
        .split(", ")
        .map((title, at): [string, number] => [
          `latency_${/^\d/.test(title) ? `p${title}` : title}`,
          goSeconds(cells[at] ?? ""),
        ]),
    };
  },
});

/** A duration as Go prints it: `1m2.5s`, `290.9µs`; NaN for other text. */
function goSeconds(text: string): number {
  const parts = [...text.matchAll(/([\d.]{1,20})(h|ms|m|s|µs|us|ns)/g)];
  if (parts.map(([whole]) => whole).join("") !== text || parts.length === 0) return Number.NaN;
  return parts.reduce((sum, [, amount = "", unit = ""]) => sum + printedSeconds(amount, unit.replace("µ", "u")), 0);
}
