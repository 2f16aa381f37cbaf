import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time" },
  { name: "user", unit: "s", better: "lower", synopsis: "processor time of the program" },
  { name: "system", unit: "s", better: "lower", synopsis: "processor time of the kernel" },
  { name: "memory", unit: "Byte", better: "lower", synopsis: "peak resident memory" },
  { name: "major_faults", better: "lower", whole: true, synopsis: "page faults that needed input" },
  { name: "minor_faults", better: "lower", whole: true },
  { name: "voluntary_switches", whole: true },
  { name: "involuntary_switches", whole: true },
  { name: "inputs", better: "lower", whole: true, synopsis: "reads from file systems" },
  { name: "outputs", better: "lower", whole: true, synopsis: "writes to file systems" },
  { name: "exit_status", whole: true },
];

/** Labels of `time -v`, and their metrics. */
const labels: ReadonlyMap<string, string> = new Map([
  ["User time (seconds)", "user"],
  ["System time (seconds)", "system"],
  ["Elapsed (wall clock) time (h:mm:ss or m:ss)", "time"],
  ["Maximum resident set size (kbytes)", "memory"],
  ["Major (requiring I/O) page faults", "major_faults"],
  ["Minor (reclaiming a frame) page faults", "minor_faults"],
  ["Voluntary context switches", "voluntary_switches"],
  ["Involuntary context switches", "involuntary_switches"],
  ["File system inputs", "inputs"],
  ["File system outputs", "outputs"],
  ["Exit status", "exit_status"],
]);

/** Labels of shells. */
const words: ReadonlyMap<string, string> = new Map([
  ["real", "time"],
  ["sys", "system"],
]);

const command = /^\s{0,8}Command being timed: "(.*)"$/;
const first = /^([\d.]{1,20})user ([\d.]{1,20})system ([\d:.]{1,20})elapsed .{0,80}?(\d{1,15})maxresident\)k$/;
const second = /^(\d{1,15})inputs\+(\d{1,15})outputs \((\d{1,15})major\+(\d{1,15})minor\)pagefaults \d{1,15}swaps$/;
const shell = /^(real|user|sys)(?:\t(\d{1,9})m([\d.]{1,12})s| ([\d.]{1,12}))$/;
const zsh = /  ([\d.]{1,12})s user ([\d.]{1,12})s system \d{1,6}% cpu ([\d:.]{1,20}) total$/;

/** GNU time 1.7 and later with `-v`, its default format and `-p`, and the keyword `time` of bash, dash and zsh. */
export const time = reportImporter({
  name: "time",
  aliases: ["gnu-time"],
  synopsis: "time -v, time, time -p, and the time of shells",
  marks: [
    'lines such as `Command being timed: "cmd"`, `0.00user 0.00system 0:00.02elapsed`, ',
    "or `real 0m0.041s` before user and sys",
  ].join(""),
  sniff: (head) => confidenceOf([...reportLines(head)]),
  reports: (bytes) => [report(reportLines(bytes))],
});

function confidenceOf(lines: readonly string[]): number {
  if (lines.some((line) => command.test(line))) return 1;
  if (lines.some((line) => first.test(line) || zshTimes(line) !== undefined)) return 0.9;
  const shells = lines.flatMap((line) => shell.exec(line)?.[1] ?? []);
  return shells.slice(0, 3).join(" ") === "real user sys" ? 0.8 : 0;
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  let name = "command";
  let values = new Map<string, number>();
  const close = (): void => {
    if (values.has("time")) results.add(name, values);
    [name, values] = ["command", new Map()];
  };
  for (const line of lines) {
    const started = command.exec(line)?.[1];
    const found = started === undefined ? valuesOf(line) : [];
    if (started !== undefined || found.some(([metric]) => values.has(metric))) close();
    if (started !== undefined) name = started;
    for (const [metric, value] of found) values.set(metric, value);
    if (zshTimes(line)) name = line.slice(0, line.search(zsh)).trim() || name;
  }
  close();
  return results.report(metrics);
}

function valuesOf(line: string): [string, number][] {
  const labelled = labelledValue(line);
  if (labelled) return [labelled];
  const [, user = "", system = "", elapsed = "", memory = ""] = first.exec(line) ?? [];
  if (user !== "")
    return named(
      ["user", "system", "time", "memory"],
      [Number(user), Number(system), clock(elapsed), Number(memory) * 1024],
    );
  const counts = second.exec(line)?.slice(1).map(Number);
  if (counts) return named(["inputs", "outputs", "major_faults", "minor_faults"], counts);
  const [, word, minutes = "0", seconds, plain = ""] = shell.exec(line) ?? [];
  if (word !== undefined) {
    return [[words.get(word) ?? word, Number(minutes) * 60 + printedNumber(seconds ?? plain)]];
  }
  return zshTimes(line) ?? [];
}

function zshTimes(line: string): [string, number][] | undefined {
  const [, user, system = "", total = ""] = line.endsWith(" total") ? (zsh.exec(line.slice(-120)) ?? []) : [];
  return user === undefined
    ? undefined
    : named(["user", "system", "time"], [printedNumber(user), printedNumber(system), clock(total)]);
}

function labelledValue(line: string): [string, number] | undefined {
  const end = line.lastIndexOf(": ");
  const metric = end < 0 ? undefined : labels.get(line.slice(0, end).trim());
  if (metric === undefined) return undefined;
  const value = clock(line.slice(end + 2));
  return [metric, metric === "memory" ? value * 1024 : value];
}

/** `1:02:03.45`, `2:03.45` or `3.45` in seconds. */
function clock(text: string): number {
  return text.split(":").reduce((sum, part) => sum * 60 + printedNumber(part), 0);
}

function named(names: readonly string[], values: readonly number[]): [string, number][] {
  return names.map((name, at) => [name, values[at]!]);
}
