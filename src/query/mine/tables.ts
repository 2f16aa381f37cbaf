import { counted } from "../../core/text/index.ts";
import type { Block, TableBlock } from "../../core/figures/index.ts";
import { formatValue } from "../../core/values/index.ts";
import type { Drift, Finding, Gap, Jump, Outlier, Spread, TestCounts } from "./finding.ts";
import type { Job } from "./jobs.ts";
import { amountText, chanceText, intervalText, percentText, runText, setText, variableOf } from "./text.ts";
import type { MineReport } from "./report.ts";

/** Input of the tables. */
export interface MineSummary {
  readonly level: number;
  readonly maxSpread: number;
  readonly order: "time" | "history";
  readonly tables: readonly MineReport[];
  readonly jobs?: readonly Job[];
}

type Head = TableBlock["head"];

/** A paragraph and a table of at most `most` findings for each search. */
export function mineTables(input: MineSummary, most: number): Block[] {
  return input.tables.flatMap((part) => [
    { kind: "text" as const, text: summary(part) },
    ...gapBlocks(part, most),
    ...jobBlocks(part === input.tables[0] ? input.jobs : undefined, most),
    ...spreadBlocks(part, input, most),
    ...changeBlocks(part, input, most),
    ...outlierBlocks(part, most),
  ]);
}

function summary({ results, parameters, sets, values, runs }: MineReport): string {
  const by =
    parameters.length === 0 ? "no parameter varies" : `sets of ${parameters.map(({ name }) => name).join(", ")}`;
  const counts = `${counted(values, "value")} in ${counted(runs, "run")}, ${counted(sets, "set")}`;
  return `${results.map(({ name }) => name).join(", ")}: ${counts}; ${by}`;
}

/** Head of left-aligned and right-aligned columns. */
function head(left: readonly string[], right: readonly string[]): Head {
  return [
    ...left.map((label) => ({ label, align: "left" as const })),
    ...right.map((label) => ({ label, align: "right" as const })),
  ];
}

function table<T>(
  caption: string,
  columns: Head,
  found: readonly T[],
  row: (each: T) => string[],
  most: number,
): Block[] {
  if (found.length === 0) return [{ kind: "text", text: caption }];
  const block: TableBlock = { kind: "table", caption, head: columns, rows: found.slice(0, most).map(row) };
  const rest = found.length - most;
  return rest > 0 ? [block, { kind: "text", text: `… and ${rest} more; use --limit to show more` }] : [block];
}

function gapBlocks({ coverage, parameters }: MineReport, most: number): Block[] {
  const { gaps, possible, measured, expected: wanted } = coverage;
  const never = possible - measured;
  const lacking = gaps.reduce((sum, gap) => sum + gap.missing, 0);
  const caption =
    gaps.length === 0
      ? `Missing: nothing; each of ${counted(possible, "set")} has ${counted(wanted, "value")} or more`
      : `Missing: ${counted(lacking, "value")} in ${gaps.length} of ${counted(possible, "set")}, ` +
        `${never} of them never measured (${counted(wanted, "value")} wanted in each)`;
  return table(caption, head(coverage.parameters, ["values", "lacking"]), gaps, gapRow, most);

  function gapRow({ set, values, missing: more }: Gap): string[] {
    const cells = [...set].map(([name, value]) => formatValue(value, variableOf(name, parameters)?.type ?? "string"));
    return [...cells, String(values), String(more)];
  }
}

function jobBlocks(jobs: readonly Job[] | undefined, most: number): Block[] {
  if (jobs === undefined) return [];
  const times = jobs.reduce((sum, job) => sum + job.times, 0);
  return table(
    `Next measurements: ${counted(times, "run")} of ${counted(jobs.length, "command")}`,
    head(["command"], ["times"]),
    jobs,
    ({ command, times: each }) => [command, String(each)],
    most,
  );
}

function only<K extends Finding["kind"]>(
  findings: readonly Finding[],
  ...kinds: readonly K[]
): Extract<Finding, { readonly kind: K }>[] {
  return findings.filter((finding): finding is Extract<Finding, { readonly kind: K }> =>
    (kinds as readonly string[]).includes(finding.kind),
  );
}

function countText({ length }: readonly unknown[]): string {
  return length === 0 ? "none" : String(length);
}

function testedText({ tested, tooFewValues: tooFew }: TestCounts, what: string): string {
  return `${tested} ${what} tested${tooFew === 0 ? "" : `, ${tooFew} with too few values`}`;
}

function spreadBlocks(part: MineReport, { maxSpread, level }: MineSummary, most: number): Block[] {
  const found = only(part.findings, "spread");
  const tested = testedText(part.spreads, "sets");
  const caption = `Spread of more than ${percentText(maxSpread)}: ${countText(found)} (${tested})`;
  const columns = head(
    ["result", "set", "spread", `${percentText(1 - level)} interval`],
    ["level", "CV", "quartiles", "values", "q"],
  );
  return table(caption, columns, found, spreadRow, most);

  function spreadRow({ result, set, spread, interval, level: at, variation, dispersion, count, q }: Spread): string[] {
    const amount = amountText(at, variableOf(result, part.results));
    const shares = [percentText(variation), percentText(dispersion), String(count), chanceText(q)];
    return [
      result,
      setText(set, part.parameters),
      percentText(spread),
      intervalText(interval, percentText),
      amount,
      ...shares,
    ];
  }
}

function changeBlocks(part: MineReport, { order, level }: MineSummary, most: number): Block[] {
  const found = only(part.findings, "jump", "drift");
  const along = order === "time" ? "from run to run" : "along the history";
  const caption = `Changes ${along}: ${countText(found)} (${testedText(part.histories, "series")})`;
  const columns = head(
    ["result", "set", "what", "change", `${percentText(1 - level)} interval`, ""],
    ["from", "to", "at run", "runs", "q"],
  );
  return table(caption, columns, found, changeRow, most);

  function changeRow(finding: Jump | Drift): string[] {
    const { result, set, before, after, relative, count, q, verdict } = finding;
    const text = (value: number): string => amountText(value, variableOf(result, part.results));
    const share = finding.kind === "jump" ? Math.abs(before) : Math.abs(before) / (count - 1);
    const ends = { low: finding.interval.low / share, high: finding.interval.high / share };
    const at = finding.kind === "jump" ? runText(finding.at) : `${runText(finding.since)} … ${runText(finding.until)}`;
    const shares = [percentText(relative, true), intervalText(ends, (end) => percentText(end, true)), verdict ?? ""];
    return [
      result,
      setText(set, part.parameters),
      finding.kind,
      ...shares,
      text(before),
      text(after),
      at,
      String(count),
      chanceText(q),
    ];
  }
}

function outlierBlocks(part: MineReport, most: number): Block[] {
  const found = only(part.findings, "outlier");
  const caption = `Outliers: ${countText(found)} (${testedText(part.outliers, "values")})`;
  const columns = head(["result", "set"], ["value", "level", "deviations", "run", "row", "q"]);
  return table(caption, columns, found, outlierRow, most);

  function outlierRow({ result, set, value, level, distance, run, row, q }: Outlier): string[] {
    const text = (amount: number): string => amountText(amount, variableOf(result, part.results));
    const position = [runText(run), row === undefined ? "" : String(row)];
    return [
      result,
      setText(set, part.parameters),
      text(value),
      text(level),
      distance.toFixed(1),
      ...position,
      chanceText(q),
    ];
  }
}
