import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber, scaledNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const rate: ReportMetric = { name: "rate", unit: "Byte/s", better: "higher" };

/** Columns of the current table. */
type Head = { readonly sizes: readonly number[] } | { readonly words: readonly string[] };

const machineSizes = /^(?:Got: )?\+H:(\d{1,9}(?::\d{1,9}){0,20})(?: from \d{1,6})?$/;
const sizeHead = /^type {1,40}(\d{1,9} bytes(?: {1,20}\d{1,9} bytes){0,20})$/;
const wordHead = /^ {4,80}([a-z]{1,20}(?: {1,40}[a-z]{1,20}(?:\.?\/s)?){1,8})$/;

/** `openssl speed` 1.0 to 3.5: ciphers and digests by size, also with -mr, and the operations of public keys. */
export const opensslSpeed = reportImporter({
  name: "openssl-speed",
  synopsis: "openssl speed",
  marks: [
    "a line `The 'numbers' are in 1000s of bytes per second processed.`, a header with `sign/s` ",
    "or `op/s`, or lines `+F:25:AES-128-GCM:…`",
  ].join(""),
  sniff: (head) => confidenceOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

function confidenceOf(lines: readonly string[]): number {
  if (lines.some((line) => line.trimEnd() === "The 'numbers' are in 1000s of bytes per second processed.")) return 1;
  const results = new Table();
  return lines.some((line) => results.take(line).length > 0) ? 0.9 : 0;
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  const metrics = new Map<string, ReportMetric>([["rate", rate]]);
  const facts = new Map<string, Value>();
  const table = new Table();
  for (const line of lines) {
    const [, version] = /^(?:version: |OpenSSL )(\d[\w.-]{1,40})/.exec(line) ?? [];
    if (version !== undefined) facts.set("openssl", version);
    for (const { name, values, bytes } of table.take(line)) {
      for (const { metric } of values) metrics.set(metric.name, metric);
      const parameters = bytes === undefined ? undefined : new Map([["bytes", bytes]]);
      results.add(
        name,
        values.map(({ metric, value }) => [metric.name, value]),
        parameters,
      );
    }
  }
  return results.report([...metrics.values()], { facts });
}

interface Row {
  readonly name: string;
  readonly values: readonly { readonly metric: ReportMetric; readonly value: number }[];
  /** Block size in bytes. */
  readonly bytes?: number;
}

class Table {
  #head: Head = { sizes: [] };
  #machineSizes: readonly number[] = [];

  /** The results of a line, for the current head. */
  take(raw: string): Row[] {
    const line = raw.trimEnd();
    const head = headOf(line);
    if (head) this.#head = head;
    const sizes = machineSizes.exec(line)?.[1]?.split(":").map(Number);
    if (sizes) this.#machineSizes = sizes;
    // With -multi the table of sums has no head of its own.
    if (sizes && line.startsWith("Got: ")) this.#head = { sizes };
    if (line.startsWith("+F:")) return this.#machineRow(line.split(":"));
    return head ? [] : this.#row(line);
  }

  #row(line: string): Row[] {
    const head = this.#head;
    const columns = "sizes" in head ? head.sizes.length : head.words.length;
    const words = line.trim().split(/\s+/);
    const cells = words.slice(-columns);
    const name = words.slice(0, -columns).join(" ");
    if (columns === 0 || cells.length < columns || name === "") return [];
    if ("sizes" in head) {
      if (!cells.every((cell) => /^[\d.]{1,20}k$/.test(cell))) return [];
      return cells.map((cell, at) => ({
        name,
        values: [{ metric: rate, value: scaledNumber(cell.slice(0, -1), 3) }],
        bytes: head.sizes[at]!,
      }));
    }
    if (!cells.every((cell, at) => (head.words[at]!.endsWith("/s") ? /^[\d.]{1,20}$/ : /^[\d.]{1,20}s$/).test(cell)))
      return [];
    return [{ name, values: cells.map((cell, at) => ({ metric: operation(head.words, at), value: amountIn(cell) })) }];
  }

  #machineRow([, , name = "", ...rates]: readonly string[]): Row[] {
    if (name === "" || rates.length !== this.#machineSizes.length) return [];
    return rates.map((text, at) => ({
      name,
      values: [{ metric: rate, value: printedNumber(text) }],
      bytes: this.#machineSizes[at]!,
    }));
  }
}

function headOf(line: string): Head | undefined {
  const [, sizes] = sizeHead.exec(line) ?? [];
  if (sizes !== undefined)
    return {
      sizes: sizes
        .split(/ bytes */)
        .filter(Boolean)
        .map(Number),
    };
  const words = wordHead.exec(line)?.[1]?.split(/ +/);
  const half = (words?.length ?? 0) / 2;
  return words?.every((word, at) => word.endsWith("/s") === at >= half) === true ? { words } : undefined;
}

/** NaN for times too short to be printed. */
function amountIn(cell: string): number {
  return printedNumber(cell.replace("s", "")) || Number.NaN;
}

/** Times come first, then rates in the same order: `signs`, `sign/s`; `encrypt`, `encr./s`. */
function operation(words: readonly string[], at: number): ReportMetric {
  const half = words.length / 2;
  const [time = "", rates = ""] = [words[at % half], words[(at % half) + half]?.replace(/\/s$/, "")];
  const name = rates.endsWith(".") || time.length <= rates.length ? time : rates;
  return at < half ? { name, unit: "s", better: "lower" } : { name: `${name}_rate`, unit: "1/s", better: "higher" };
}
