import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { PageSource, ProfileLine } from "../../src/core/pages/index.ts";
import { isOfBenchmark } from "../../src/core/profiles/index.ts";
import type { ComparedSeries } from "../../src/query/pages/index.ts";
import { causeCommit } from "../../src/query/pages/index.ts";
import { historyShape } from "../charts/history-shape.ts";
import { usePage } from "../context/page-context.ts";
import { href, type Route } from "../context/route.ts";
import { chartData, type ChartPoint } from "../model/chart-data.ts";
import type { LoadedComparison } from "../model/comparison-view.ts";
import { commitLine } from "../model/commit-lines.ts";
import { deltaText, shortId, valueText } from "../model/number-text.ts";
import { type History, historyOf, seriesLine } from "../model/series-lines.ts";
import { Difference } from "./profile-difference.tsx";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { Outcome } from "../parts/outcome.tsx";
import { SeriesChart } from "../charts/series-chart.tsx";
import { Text } from "../parts/text.tsx";

interface ComparedProps {
  readonly loaded: LoadedComparison;
  readonly row: ComparedSeries;
}

const paper = { width: 120, height: 26, left: 4, right: 4, top: 4, bottom: 4 };

/** The points of the compared commits; none for machines, as the history has the points of one only. */
function comparedPoints({ levels }: LoadedComparison, row: ComparedSeries, history: History): number[] {
  if (levels.facts.from < 0) return [];
  const { beforeAt, afterAt } = levels.arrays;
  return [beforeAt, afterAt].map((at) => pointOf(history, at[row.series])).filter((point) => point >= 0);
}

/** The last point of the commit of a side; -1: none. */
function pointOf({ version }: History, commit: number | undefined): number {
  for (let point = version.length - 1; point >= 0; point--) if (version[point] === commit) return point;
  return -1;
}

/** A small chart of the history with the two compared points and their levels; the numbers are in the table. */
export function ComparedChart({ loaded, row }: ComparedProps): JSX.Element {
  const { source, revision } = usePage();
  const { series } = loaded;
  const block = useLoaded(() => source.points(series.arrays.block[row.series] ?? 0), [revision, row.series]);
  if (block.state !== "there") return <svg class="spark" viewBox={`0 0 ${paper.width} ${paper.height}`} aria-hidden />;
  const history = historyOf(series, row.series, block.value);
  const shape = historyShape([history], { from: 0, to: Math.max(0, history.center.length - 1) }, paper);
  const points = comparedPoints(loaded, row, history);
  const [first, last] = [shape.xOf(Math.min(...points)), shape.xOf(Math.max(...points))];
  return (
    <svg class="spark" viewBox={`0 0 ${paper.width} ${paper.height}`} aria-hidden="true">
      <path d={shape.medians[0]} />
      {points.map((point) => {
        const y = shape.yOf(history.center[point] ?? 0);
        return (
          <g key={point}>
            <line class="level" x1={first} x2={last} y1={y} y2={y} />
            <circle cx={shape.xOf(point)} cy={y} r="2.4" />
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

function Chart(props: ComparedProps): JSX.Element {
  const { source, revision } = usePage();
  const { series } = props.loaded;
  const { row } = props;
  const block = useLoaded(() => source.points(series.arrays.block[row.series] ?? 0), [revision, row.series]);
  return (
    <Loaded of={block} what="points">
      {(points) => {
        const history = historyOf(series, row.series, points);
        return history.center.length === 0 ? (
          <p>This series has no points.</p>
        ) : (
          <LevelChart {...props} history={history} compared={comparedPoints(props.loaded, row, history)} />
        );
      }}
    </Loaded>
  );
}

interface LevelChartProps extends ComparedProps {
  readonly history: History;
  /** The compared points. */
  readonly compared: readonly number[];
}

function LevelChart({ loaded: { series, versions }, row, history, compared }: LevelChartProps): JSX.Element {
  const [params, setParams] = useState<Route["params"]>({});
  const line = seriesLine(series, row.series);
  const data = useMemo(() => chartData(versions, [{ line, history }]), [versions, history]);
  const textOf = ({ slot }: ChartPoint): JSX.Element => {
    const commit = commitLine(versions, history.version[slot] ?? -1);
    const value = valueText(history.center[slot] ?? Number.NaN, line.unit);
    return <Text of={`${value} at ${shortId(commit?.id ?? "")} ${commit?.subject ?? ""}`} short={120} />;
  };
  return (
    <SeriesChart
      data={data}
      start={{ line: 0, slot: compared.at(-1) ?? history.center.length - 1 }}
      params={params}
      onSet={(next) => setParams((before) => ({ ...before, ...next }))}
      levels={compared}
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
