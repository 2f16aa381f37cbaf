import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PageSource, ProfileLine } from "../../src/core/pages/index.ts";
import { isOfBenchmark } from "../../src/core/profiles/index.ts";
import type { ComparedSeries } from "../../src/query/pages/index.ts";
import { causeCommit } from "../../src/query/pages/index.ts";
import { historyShape } from "../charts/history-shape.ts";
import { usePage } from "../context/page-context.ts";
import { href, type Route } from "../context/route.ts";
import { chartData, type ChartData, type ChartPoint } from "../model/chart-data.ts";
import type { LoadedComparison } from "../model/comparison-view.ts";
import { commitLine } from "../model/commit-lines.ts";
import { deltaText, shortId, valueText } from "../model/number-text.ts";
import { historyOf, machineHistory, seriesLine } from "../model/series-lines.ts";
import { Difference } from "./profile-difference.tsx";
import { Loaded, type LoadState, useLoaded } from "../parts/answer.tsx";
import { Outcome } from "../parts/outcome.tsx";
import { dashOf } from "../charts/line-chart.tsx";
import { SeriesChart } from "../charts/series-chart.tsx";
import { Text } from "../parts/text.tsx";

interface ComparedProps {
  readonly loaded: LoadedComparison;
  readonly row: ComparedSeries;
}

const paper = { width: 120, height: 26, left: 4, right: 4, top: 4, bottom: 4 };

/** The series over commits: one line, or one for each of the compared machines. */
function useChartData({ versions, series, machines }: LoadedComparison, at: number): LoadState<ChartData> {
  const { source, revision } = usePage();
  return useLoaded(async () => {
    const line = seriesLine(series, at);
    if (machines === undefined)
      return chartData(versions, [
        { line, history: historyOf(series, at, await source.points(series.arrays.block[at] ?? 0)) },
      ]);
    const { columns, sides } = machines;
    return chartData(
      versions,
      sides.map((machine) => ({
        line: { ...line, benchmark: columns.facts.machines[machine] ?? "" },
        history: machineHistory(columns, at, machine),
      })),
    );
  }, [revision, at]);
}

/** A compared point of a chart, by its line and slot. */
function comparedPoints(
  { levels }: LoadedComparison,
  { series }: ComparedSeries,
  { slots, lines }: ChartData,
): ChartPoint[] {
  const { beforeAt, afterAt } = levels.arrays;
  return [beforeAt, afterAt].flatMap((at, side) => {
    const slot = Array.from(slots).lastIndexOf(at[series] ?? -1);
    return slot < 0 || (at[series] ?? -1) < 0 ? [] : [{ line: lines.length > 1 ? side : 0, slot }];
  });
}

/** A small chart of the history with the compared points and their levels; the numbers are in the table. */
export function ComparedChart({ loaded, row }: ComparedProps): JSX.Element {
  const data = useChartData(loaded, row.series);
  if (data.state !== "there") return <svg class="spark" viewBox={`0 0 ${paper.width} ${paper.height}`} aria-hidden />;
  const { slots, lines } = data.value;
  const histories = lines.map(({ history }) => history);
  const shape = historyShape(histories, { from: 0, to: Math.max(0, slots.length - 1) }, paper);
  const points = comparedPoints(loaded, row, data.value);
  const xs = points.map(({ slot }) => shape.xOf(slot));
  const [first, last] = lines.length > 1 ? [0, paper.width] : [Math.min(...xs), Math.max(...xs)];
  return (
    <svg class="spark" viewBox={`0 0 ${paper.width} ${paper.height}`} aria-hidden="true">
      {shape.medians.map((path, at) => (
        <path key={at} d={path} stroke-dasharray={lines.length > 1 ? dashOf(at) : undefined} />
      ))}
      {points.map(({ line, slot }) => {
        const y = shape.yOf(histories[line]?.center[slot] ?? 0);
        return (
          <g key={`${line} ${slot}`}>
            <line class="level" x1={first} x2={last} y1={y} y2={y} />
            <circle cx={shape.xOf(slot)} cy={y} r="2.4" />
          </g>
        );
      })}
    </svg>
  );
}

/** What stands in the address, and how it is changed. */
interface Addressed {
  readonly params: Route["params"];
  readonly onSet: (next: Route["params"]) => void;
}

/** The parameters of a comparison without those of the opened row. */
export function withoutRow({ open: _, diff: _diff, flame: _flame, ...others }: Route["params"]): Route["params"] {
  return others;
}

/** The opened row: both levels in the history, what caused the change, and the difference of profiles. */
export function ComparedPanel({ loaded, row, params, onSet }: ComparedProps & Addressed): JSX.Element {
  const line = seriesLine(loaded.series, row.series);
  return (
    <section class="panel" aria-label="Selected row">
      <div class="bar">
        <b>
          <Text of={line.benchmark} short={200} />
        </b>
        <Text of={line.metric} short={80} />
        <a href={href("series", line.key)}>History</a>
        <a href={href("compare", "", withoutRow(params))}>Close</a>
      </div>
      <Facts loaded={loaded} row={row} />
      <Chart loaded={loaded} row={row} />
      {loaded.series.arrays.source[row.series] === 0 && (
        <Profiles loaded={loaded} row={row} benchmark={line.benchmark} params={params} onSet={onSet} />
      )}
    </section>
  );
}

function Facts({ loaded, row }: ComparedProps): JSX.Element {
  const { series, levels, changes, versions } = loaded;
  const { unit } = seriesLine(series, row.series);
  const { arrays } = levels;
  const cause = causeCommit(row, changes);
  const side = (name: "before" | "after"): JSX.Element => {
    const n = arrays[`${name}N`][row.series] ?? 0;
    const [low, high] = [arrays[`${name}Low`][row.series] ?? NaN, arrays[`${name}High`][row.series] ?? NaN];
    return (
      <dd>
        <Text of={valueText(row[name], unit)} short={40} />
        {n > 1 && low !== high && (
          <span class="quiet">{` (${valueText(low, unit)} to ${valueText(high, unit)}, ${n} values)`}</span>
        )}{" "}
        <CommitLink versions={versions} index={arrays[`${name}At`][row.series] ?? -1} />
      </dd>
    );
  };
  return (
    <dl class="facts">
      <dt>before</dt>
      {side("before")}
      <dt>after</dt>
      {side("after")}
      <dt>change</dt>
      <dd>
        {deltaText(row.delta)} <Outcome of={row.outcome} />
        {!Number.isNaN(row.noise) && <span class="quiet">, noise {deltaText(row.noise).replace("+", "±")}</span>}
        {row.reason !== "" && <span class="quiet">, {row.reason}</span>}
      </dd>
      {cause >= 0 && (
        <>
          <dt>caused by</dt>
          <dd>
            <CommitLink versions={versions} index={cause} hasSubject />
            {(changes.arrays.suspects[row.cause] ?? 0) > 1 && (
              <span class="quiet"> or one of {(changes.arrays.suspects[row.cause] ?? 0) - 1} commits before it</span>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

interface CommitLinkProps extends Pick<LoadedComparison, "versions"> {
  readonly index: number;
  readonly hasSubject?: boolean;
}

function CommitLink({ versions, index, hasSubject }: CommitLinkProps): JSX.Element | null {
  const commit = commitLine(versions, index);
  if (commit === undefined) return null;
  return (
    <>
      <a class="code" href={href("commits", commit.id)}>
        {shortId(commit.id)}
      </a>
      {hasSubject === true && (
        <>
          {" "}
          <Text of={commit.subject} short={120} />
        </>
      )}
    </>
  );
}

function Chart({ loaded, row }: ComparedProps): JSX.Element {
  const data = useChartData(loaded, row.series);
  return (
    <Loaded of={data} what="points">
      {(drawn) =>
        drawn.slots.length === 0 ? (
          <p>This series has no points.</p>
        ) : (
          <LevelChart data={drawn} compared={comparedPoints(loaded, row, drawn)} />
        )
      }
    </Loaded>
  );
}

function LevelChart({
  data,
  compared,
}: {
  readonly data: ChartData;
  readonly compared: readonly ChartPoint[];
}): JSX.Element {
  const [params, setParams] = useState<Route["params"]>({});
  const { versions, slots, lines } = data;
  const textOf = ({ line, slot }: ChartPoint): JSX.Element => {
    const [commit, own] = [commitLine(versions, slots[slot] ?? -1), lines[line]];
    const value = valueText(own?.history.center[slot] ?? Number.NaN, own?.line.unit ?? "");
    const machine = lines.length > 1 ? `${own?.line.benchmark ?? ""}: ` : "";
    return <Text of={`${machine}${value} at ${shortId(commit?.id ?? "")} ${commit?.subject ?? ""}`} short={120} />;
  };
  return (
    <SeriesChart
      data={data}
      start={compared.at(-1) ?? { line: 0, slot: slots.length - 1 }}
      params={params}
      onSet={(next) => setParams((before) => ({ ...before, ...next }))}
      levels={lines.length > 1 ? [] : compared.map(({ slot }) => slot)}
    >
      {(selected) => <div class="quiet">{textOf(selected)}</div>}
    </SeriesChart>
  );
}

interface ProfilesProps extends ComparedProps, Addressed {
  readonly benchmark: string;
}

/** The newest profiles of the benchmark on both sides that can be compared: in a report, those with a difference. */
async function comparedPair(
  source: PageSource,
  [before, after]: readonly [number, number],
  benchmark: string,
): Promise<readonly [base: ProfileLine, target: ProfileLine] | undefined> {
  if (before < 0 || after < 0 || before === after) return undefined;
  const sides = await Promise.all([source.profiles(before), source.profiles(after)]);
  const [bases = [], targets = []] = sides.map((lines) => lines.filter((line) => isOfBenchmark(line, benchmark)));
  const stored = source.live === undefined ? await source.differences() : undefined;
  const pairs = bases.flatMap((base) => targets.map((target) => [base, target] as const));
  return pairs.findLast(
    ([base, target]) =>
      stored === undefined || stored.some(([left, right]) => left === base.object && right === target.object),
  );
}

function Profiles({ loaded: { levels, versions }, row, benchmark, params, onSet }: ProfilesProps): JSX.Element {
  const { source, revision } = usePage();
  const isOpen = params["diff"] === "yes";
  const setOpen = (open: boolean): void => {
    if (open !== isOpen) onSet(open ? { diff: "yes" } : { diff: "", flame: "" });
  };
  const { beforeAt, afterAt } = levels.arrays;
  const pair = useLoaded(
    () => comparedPair(source, [beforeAt[row.series] ?? -1, afterAt[row.series] ?? -1], benchmark),
    [revision, row.series],
  );
  if (pair.state !== "there") return <></>;
  if (pair.value === undefined) return <p class="quiet">No difference of its profiles is available here.</p>;
  const [base, target] = pair.value;
  const [before, after] = [beforeAt, afterAt].map((at) => versions.facts.ids[at[row.series] ?? -1] ?? "");
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Difference of the profiles</summary>
      <a
        href={href("compare", "", {
          before: before ?? "",
          after: after ?? "",
          base: base.object,
          target: target.object,
        })}
      >
        Open on a page of its own
      </a>
      {isOpen && <Difference base={base.object} target={target.object} />}
    </details>
  );
}
