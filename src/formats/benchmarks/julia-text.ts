import { prefixedNumber, printedNumber, printedSeconds } from "../text/index.ts";

/** A trial of BenchmarkTools: times in seconds, `bytes`, `allocations`. */
export interface JuliaTrial {
  readonly benchmark: string;
  readonly values: readonly (readonly [metric: string, value: number])[];
}

type Values = (readonly [string, number])[];

const time = String.raw`([\d.]{1,20}) (ps|ns|μs|µs|us|ms|s)`;
const size = String.raw`([\d.]{1,20}) (bytes?|[KMGT]iB)`;
const trialStart = /^BenchmarkTools\.Trial: {0,4}(?:\d{1,9} samples? with .{1,60})?$/;
/** `@btime`: the minimum time. */
const shortTrial = new RegExp(String.raw`^ {2}${time} \((\d{1,15}) allocations?: ${size}\)$`);
const groupHead = /^\s{0,400}(.{1,400}) => \d{1,9}-element BenchmarkTools\.BenchmarkGroup:$/;
const groupMember = new RegExp(String.raw`^\s{0,400}(.{1,400}) => (?:BenchmarkTools\.)?Trial(?:Estimate)?\(${time}\)$`);
const range = new RegExp(String.raw`^ Range \(min … max\): {1,20}${time} … {1,20}${time} `);
const median = new RegExp(String.raw`^ Time {1,4}\(median\): {1,20}${time} `);
const mean = new RegExp(String.raw`^ Time {1,4}\(mean ± σ\): {1,20}${time} ± {1,20}${time} `);
const single = new RegExp(String.raw`^ Single result which took ${time} `);
const oldTime = new RegExp(String.raw`^ {2}(minimum|median|mean|maximum) time: {1,20}${time} \(`);
const memory = new RegExp(String.raw`^ {1,2}[Mm]emory estimate: {1,4}${size}(?:, allocs estimate: (\d{1,15})\.?)?$`);

/** The last line of a trial. */
const trialEnd = /^ Memory estimate: |^ {2}evals\/sample: /;

const names: ReadonlyMap<string, string> = new Map([
  ["minimum", "min"],
  ["maximum", "max"],
]);

/** Confidence from 0 to 1 that lines are output of BenchmarkTools. */
export function juliaTextConfidence(lines: Iterable<string>): number {
  let confidence = 0;
  for (const line of lines) {
    if (trialStart.test(line)) return 1;
    if (shortTrial.test(line) || groupMember.test(line)) confidence = 0.95;
  }
  return confidence;
}

/**
 * Parses trials as the REPL, `display` and `@btime` print them. The name is the expression after `julia> @btime`, which
 * may print lines itself, or the previous line, else `trial`; in groups, it is the path of keys.
 */
export function juliaTrials(lines: Iterable<string>): JuliaTrial[] {
  const trials: JuliaTrial[] = [];
  const used = new Map<string, number>();
  let open: Values | undefined;
  let heading = "";
  let groups: { readonly depth: number; readonly key: string }[] = [];
  const add = (values: Values): void => {
    const count = (used.get(heading) ?? 0) + 1;
    used.set(heading, count);
    const name = headingName(heading);
    // A repeated REPL expression is another sample.
    trials.push({ benchmark: count === 1 || heading.startsWith("julia> ") ? name : `${name} ${count}`, values });
  };
  for (const raw of lines) {
    const line = raw.trimEnd();
    const short = shortTrial.exec(line);
    const [, key, amount = "", unit = ""] = groupMember.exec(line) ?? [];
    const [, group] = groupHead.exec(line) ?? [];
    if (trialStart.test(line)) add((open = []));
    else if (short) add(shortValues(short));
    else if (group !== undefined || key !== undefined) {
      const depth = line.length - line.trimStart().length;
      groups = groups.filter((each) => each.depth < depth);
      if (group !== undefined) groups.push({ depth, key: keyOf(group) });
      else
        trials.push({
          benchmark: [...groups.map((each) => each.key), keyOf(key!)].join("/"),
          values: [["min", printedSeconds(amount, unit)]],
        });
    } else if (open) open.push(...valuesOf(line));
    if (short ?? trialEnd.test(line)) [open, heading] = [undefined, ""];
    else if (!open && line.trim() !== "" && (!prompt.test(heading) || line.startsWith("julia> ")))
      heading = line.trim();
  }
  return trials;
}

/** A measured expression in the REPL. */
const prompt = /^julia> (?:(?:display|println)\()?(?:@btime|@benchmark) /;

function headingName(heading: string): string {
  return heading.replace(prompt, "") || "trial";
}

/** Keys of groups are quoted texts, or unquoted numbers and tuples. */
function keyOf(text: string): string {
  return text.trim().replace(/^"(.*)"$/, "$1");
}

function shortValues([
  ,
  amount = "",
  unit = "",
  allocations = "",
  bytes = "",
  ofBytes = "",
]: readonly string[]): Values {
  return [
    ["min", printedSeconds(amount, unit)],
    ["bytes", bytesIn(bytes, ofBytes)],
    ["allocations", printedNumber(allocations)],
  ];
}

function valuesOf(line: string): Values {
  const [, word = "", old = "", oldUnit = ""] = oldTime.exec(line) ?? [];
  if (word !== "") return [[names.get(word) ?? word, printedSeconds(old, oldUnit)]];
  const [, bytes, ofBytes = "", allocations = ""] = memory.exec(line) ?? [];
  if (bytes !== undefined) {
    return [
      ["bytes", bytesIn(bytes, ofBytes)],
      ["allocations", printedNumber(allocations)],
    ];
  }
  const [, allocs] = /^ {2}allocs estimate: {1,4}(\d{1,15})$/.exec(line) ?? [];
  if (allocs !== undefined) return [["allocations", printedNumber(allocs)]];
  return [
    ...timesIn(range, line, ["min", "max"]),
    ...timesIn(median, line, ["median"]),
    ...timesIn(mean, line, ["mean", "stddev"]),
    ...timesIn(single, line, ["min"]),
  ];
}

function timesIn(pattern: RegExp, line: string, metrics: readonly string[]): Values {
  const parts = pattern.exec(line);
  return parts
    ? metrics.map((metric, at) => [metric, printedSeconds(parts[2 * at + 1]!, parts[2 * at + 2]!)] as const)
    : [];
}

function bytesIn(amount: string, unit: string): number {
  return prefixedNumber(amount, unit.startsWith("byte") ? "" : unit.slice(0, -1));
}
