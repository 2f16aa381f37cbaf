import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import { reportUnit, toBaseUnit } from "../../../formats/benchmarks/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { logImporter, type LogReader, LogResults } from "../log-importer.ts";
import { reportImporter } from "../report-importer.ts";

/** Columns of a ReFrame log with the conditions of a test. */
const reframeParameters = [
  "num_tasks",
  "num_cpus_per_task",
  "num_tasks_per_node",
  "num_gpus_per_node",
  "system",
  "partition",
  "environ",
];

/** ReFrame 3 to 4: performance logs with a header, and the lines of version 3 without one. */
export const reframePerflog = logImporter({
  name: "reframe-perflog",
  synopsis: "ReFrame (perflogs/SYSTEM/PARTITION/TEST.log)",
  marks: "a header with `|` and `…_value`, `…_unit`; or lines `…|reframe 3.…|…|name=value|ref=…|unit`",
  metrics: [],
  reader: (results) => new ReframeReader(results),
});

class ReframeReader implements LogReader {
  readonly #results: LogResults;
  #titles: readonly string[] = [];

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    if (!text.includes("|")) return;
    const cells = text.split("|");
    if (cells.some((cell) => /^\w{1,100}_value$/.test(cell)) && cells.some((cell) => /^\w{1,100}_unit$/.test(cell)))
      this.#titles = cells;
    else if (cells.length === this.#titles.length && !isCut) this.#row(cells);
    else if (cells.length > 4 && cells.some((cell) => cell.startsWith("reframe 3."))) this.#oldRow(cells);
    else if (this.#titles.length > 0 && /^\d{4}-\d\d-\d\dT/.test(text)) this.#results.warn("skipped an incomplete row");
  }

  #row(cells: readonly string[]): void {
    const cell = (title: string): string | undefined => {
      const text = cells[this.#titles.indexOf(title)];
      return text === undefined || /^(?:None|null|)$/.test(text) ? undefined : text;
    };
    const result = cell("result");
    if (result !== undefined && result !== "pass") return;
    const version = /^reframe (\d\S{0,40})/.exec(cell("version") ?? "")?.[1];
    if (version !== undefined) this.#results.fact("reframe", version);
    const name = cell("display_name") ?? cell("name") ?? testName(cell("info") ?? "");
    const values = this.#titles.flatMap((title): [string, number][] => {
      const [, metric] = /^(\w{1,100})_value$/.exec(title) ?? [];
      return metric === undefined ? [] : [this.#figure(metric, cell(title) ?? "", cell(`${metric}_unit`) ?? "")];
    });
    this.#results.add(
      name,
      values,
      reframeParameters.map((title) => [title, parameterOf(cell(title))] as const),
    );
  }

  /** `…|reframe 3.4.1|StreamTest on daint:gpu using gnu|jobid=12|Copy=123.4|ref=0 (l=None, u=None)|MB/s` */
  #oldRow(cells: readonly string[]): void {
    const at = cells.findIndex((cell) => cell.startsWith("ref="));
    const [, metric = "", value = ""] = /^([^=]{1,100})=(.{1,40})$/.exec(cells[at - 1] ?? "") ?? [];
    const info = cells[cells.findIndex((cell) => cell.startsWith("reframe 3.")) + 1] ?? "";
    const unit = cells.slice(at + 1).find((cell) => !cell.includes("=")) ?? "";
    const [, name = info, system, environ] = /^(.{1,200}?) on (\S{1,100}) using (\S{1,100})/.exec(info) ?? [];
    const tasks = cells.map((cell) => /^num_tasks=(\d{1,9})$/.exec(cell)?.[1]).find((each) => each !== undefined);
    if (at < 1 || metric === "" || unit === "") return this.#results.warn("skipped an incomplete row");
    this.#results.add(
      name,
      [this.#figure(metric, value, unit)],
      [
        ["num_tasks", parameterOf(tasks)],
        ["system", system],
        ["environ", environ],
      ],
    );
  }

  #figure(metric: string, value: string, unit: string): [string, number] {
    const known = figureUnit(unit);
    this.#results.metric(figureMetric(metric, known.unit));
    return [metric, toBaseUnit(printedNumber(value), known)];
  }
}

function figureUnit(unit: string): ReturnType<typeof reportUnit> {
  return reportUnit(unit.replace(/flops?(?=\/|$)/i, "FlOP"));
}

function figureMetric(name: string, unit: string): ReportMetric {
  if (unit.endsWith("/s")) return { name, unit, better: "higher" };
  return unit === "s" ? { name, unit, better: "lower" } : { name, unit };
}

/** ReFrame 3.1 to 4.8: the report of a session (`--report-file`), with the performance of each test that passed. */
export const reframeReport = reportImporter({
  name: "reframe-report",
  synopsis: "ReFrame --report-file (.json)",
  marks: 'JSON with "session_info" and "runs" of "testcases"',
  sniff: (head) => (hasMembers(jsonHead(head, "{"), "session_info", "testcases") ? 1 : 0),
  reports: (bytes, file) => [sessionReport(JsonLocation.document(bytes, file))],
});

function sessionReport(document: JsonLocation): BenchmarkReport {
  const results = new LogResults([]);
  const session = document.get("session_info");
  results.fact("reframe", String(session.maybe("version")?.scalar ?? ""));
  results.fact("hostname", String(session.maybe("hostname")?.scalar ?? ""));
  for (const run of document.get("runs").list())
    for (const test of run.get("testcases").list())
      if (/^(?:pass|success)$/.test(String(test.maybe("result")?.scalar ?? "pass"))) addTest(results, test);
  return results.report();
}

function addTest(results: LogResults, test: JsonLocation): void {
  const text = (name: string): string | undefined => {
    const found = test.maybe(name)?.scalar;
    return found === undefined ? undefined : String(found);
  };
  const figures = [...listedFigures(test), ...namedFigures(test)];
  for (const { name, unit } of figures) results.metric(figureMetric(name, figureUnit(unit).unit));
  results.add(
    text("display_name") ?? text("name") ?? "",
    figures.map(({ name, value, unit }) => [name, toBaseUnit(value, figureUnit(unit))]),
    [
      ...reframeParameters.map((title) => [title, parameterOf(text(title))] as const),
      ["environ", parameterOf(text("environ") ?? text("environment"))],
    ],
  );
}

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** `perfvars` of ReFrame before 4.7. */
function listedFigures(test: JsonLocation): Figure[] {
  return (test.maybe("perfvars")?.list() ?? []).flatMap((each) => {
    const [value, unit] = [each.maybe("value")?.scalar, each.maybe("unit")?.scalar];
    const name = each.get("name").text();
    return typeof value === "number" ? [{ name, value, unit: typeof unit === "string" ? unit : "" }] : [];
  });
}

/** `perfvalues` of ReFrame 4.7 and newer: `{"system:partition:name": [value, reference, lower, upper, unit, …]}`. */
function namedFigures(test: JsonLocation): Figure[] {
  return (test.maybe("perfvalues")?.members() ?? []).flatMap(([key, values]) => {
    const [value, , , , unit] = values.list().map((each) => each.scalar);
    const name = key.slice(key.lastIndexOf(":") + 1);
    return typeof value === "number" ? [{ name, value, unit: typeof unit === "string" ? unit : "" }] : [];
  });
}

/** The test of `SombreroBenchmark %tasks=1 /52e1ce98 @archer2:compute-node+default`. */
function testName(info: string): string {
  return info.replace(/ \/[\da-f]{4,40}(?= |$)/, "").replace(/ @\S{1,200}$/, "");
}

function parameterOf(text: string | undefined): Value | undefined {
  if (text === undefined) return undefined;
  const number = /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isNaN(number) ? text : number;
}

/** llama-bench of llama.cpp: Markdown tables, also several of them in one text. */
export const llamaBench = logImporter({
  name: "llama-bench",
  synopsis: "llama-bench (llama.cpp), -o md",
  marks: "a Markdown table with the columns `model`, `test`, `t/s`, and cells `123.45 ± 0.67`",
  metrics: [
    { name: "tokens_per_s", unit: "1/s", better: "higher" },
    { name: "stddev", unit: "1/s" },
  ],
  reader: (results) => new LlamaReader(results),
});

class LlamaReader implements LogReader {
  readonly #results: LogResults;
  #titles: readonly string[] = [];

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(raw: string, isCut: boolean): void {
    const [, build] = /^build: ([\da-f]{7,40} \(\d{1,9}\))/.exec(raw) ?? [];
    if (build !== undefined) this.#results.fact("build", build);
    // Tables are quoted in discussions.
    const text = raw.replace(/^[>\s]{1,20}/, "").trimEnd();
    if (!text.startsWith("|")) return;
    const cells = text
      .replace(/^\|/, "")
      .replace(/\|$/, "")
      .split("|")
      .map((cell) => cell.trim());
    if (cells.includes("t/s")) this.#titles = cells.includes("model") && cells.includes("test") ? cells : [];
    else if (this.#titles.length > 0 && !/^[\s|:-]{3,10000}$/.test(text))
      this.#row(cells, text.endsWith("|") || !isCut);
  }

  #row(cells: readonly string[], isWhole: boolean): void {
    const titles = this.#titles;
    const [, rate = "", deviation = ""] =
      /^([\d.]{1,30}) (?:±|\+\/-|Â±) ([\d.]{1,30})$/.exec(cells[titles.indexOf("t/s")] ?? "") ?? [];
    if (cells.length !== titles.length || rate === "" || !isWhole)
      return this.#results.warn("skipped an incomplete row");
    const parameters = titles.flatMap((title, at): [string, Value][] => {
      const value = parameterOf(cells[at]);
      return title === "t/s" || title === "" || value === undefined || value === "" ? [] : [[title, value]];
    });
    this.#results.add(
      cells[titles.indexOf("test")]!,
      [
        ["tokens_per_s", printedNumber(rate)],
        ["stddev", printedNumber(deviation)],
      ],
      parameters,
    );
  }
}
