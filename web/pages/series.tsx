import type { VersionColumns } from "../../src/core/pages/index.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { changesOf, detectedChange, type DetectedChange } from "../model/change-lines.ts";
import type { PointRange } from "../charts/history-shape.ts";
import { countText, dayText, deltaText, shortId, timeText, valueText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { ChangePoints } from "../parts/change-points.tsx";
import { HistoryChart, zoomed } from "../charts/history-chart.tsx";
import { PointDetails } from "../parts/point-details.tsx";
import { usePrinting } from "../parts/printing.ts";
import { TriageForm } from "../parts/triage-form.tsx";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import { Delta, Outcome } from "../parts/outcome.tsx";
import { href } from "../context/route.ts";
import { type NetChange, netChanges } from "../model/net-changes.ts";
import {
  type History,
  historyOf,
  indexOfKey,
  releaseMarks,
  seriesLine,
  type SeriesLine,
} from "../model/series-lines.ts";
import { Text } from "../parts/text.tsx";
import { commitLine } from "../model/commit-lines.ts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

const columns: readonly VirtualColumn[] = [
  { label: "commit", width: "96px" },
  { label: "date", width: "92px", optional: true },
  { label: "subject", width: "minmax(0, 3fr)" },
  { label: "median", width: "minmax(80px, 1fr)", right: true },
  { label: "min", width: "minmax(80px, 1fr)", right: true, optional: true },
  { label: "max", width: "minmax(80px, 1fr)", right: true, optional: true },
  { label: "values", width: "60px", right: true, optional: true },
];

interface HistoryTableProps {
  readonly history: History;
  readonly versions: VersionColumns;
  readonly unit: string;
}

/** The points of the chart as a table, newest first. */
function HistoryTable({ history, versions, unit }: HistoryTableProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const isShown = usePrinting() || isOpen;
  const count = history.center.length;
  const short = unit.slice(0, 20);
  const cells = (row: number): JSX.Element[] => {
    const at = count - 1 - row;
    const version = commitLine(versions, history.version[at] ?? -1);
    return [
      version === undefined ? (
        <>–</>
      ) : (
        <a class="code" href={href("commits", version.id)}>
          {shortId(version.id)}
        </a>
      ),
      <>{dayText(version?.date ?? 0)}</>,
      <Text of={version?.subject ?? ""} short={120} />,
      <Text of={valueText(history.center[at] ?? Number.NaN, short)} />,
      <Text of={valueText(history.low[at] ?? Number.NaN, short)} />,
      <Text of={valueText(history.high[at] ?? Number.NaN, short)} />,
      <>{history.n[at] ?? 0}</>,
    ];
  };
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>All points as a table</summary>
      {isShown && <VirtualRows label="Points" columns={columns} count={count} cells={cells} />}
    </details>
  );
}

/** One metric of one benchmark over commit history. */
export function SeriesPage({ route }: PageProps): JSX.Element {
  const { source, revision } = usePage();
  const answer = useLoaded(async () => {
    const columns = await source.series();
    const index = indexOfKey(columns, route.of);
    if (index < 0) throw new Error(`No such series: ${route.of.slice(0, 200)}`);
    const [versions, found, block] = await Promise.all([
      source.versions(),
      source.changes(),
      source.points(columns.arrays.block[index] ?? 0),
    ]);
    const changes = changesOf(found, "series", index).map((at) => detectedChange(found, columns, at));
    changes.sort((a, b) => b.after - a.after);
    return { versions, changes, line: seriesLine(columns, index), history: historyOf(columns, index, block) };
  }, [revision, route.of]);
  return (
    <Loaded of={answer} what="the series">
      {(loaded) => <SeriesView {...loaded} />}
    </Loaded>
  );
}

interface SeriesViewProps {
  readonly versions: VersionColumns;
  readonly line: SeriesLine;
  /** Newest first. */
  readonly changes: readonly DetectedChange[];
  readonly history: History;
}

function SeriesView({ versions, line, changes, history }: SeriesViewProps): JSX.Element {
  const last = history.center.length - 1;
  const [range, setRange] = useState<PointRange>({ from: 0, to: Math.max(0, last) });
  const [chosen, setChosen] = useState(history.changes.at(-1) ?? Math.max(0, last));
  const { source } = usePage();
  const [change] = changes;
  const changeAt = (point: number): DetectedChange | undefined =>
    changes.find(({ after }) => after >= 0 && after === history.version[point]);
  const dateOf = (point: number): number => commitLine(versions, history.version[point] ?? -1)?.date ?? 0;
  const whenText = dayText(dateOf(range.from)) === dayText(dateOf(range.to)) ? timeText : dayText;
  return (
    <>
      <h1>
        <Text of={line.benchmark} />
      </h1>
      <Lead line={line} change={change} net={netChanges(history, versions)} />
      {last < 0 ? (
        <p>This series has no points.</p>
      ) : (
        <section aria-label="History">
          <Zoom range={range} selected={chosen} last={last} onRange={setRange} />
          <div class="side-by-side">
            <HistoryChart
              history={history}
              unit={line.unit}
              label="History"
              range={range}
              selected={chosen}
              selectedText={pointText(history, versions, chosen, line.unit)}
              marks={releaseMarks(history, versions)}
              timeOf={(point) => whenText(dateOf(point))}
              onSelect={setChosen}
              onRange={setRange}
            />
            <PointDetails
              series={line.index}
              history={history}
              versions={versions}
              at={chosen}
              unit={line.unit}
              change={changeAt(chosen)}
            />
          </div>
          <ChangePoints
            history={history}
            versions={versions}
            unit={line.unit}
            changeAt={changeAt}
            onChoose={setChosen}
          />
          {source.live !== undefined && <TriageForm seriesKey={line.key} triage={change?.triage ?? null} />}
          <HistoryTable history={history} versions={versions} unit={line.unit} />
        </section>
      )}
      <p class="quiet">
        Key: <Text of={line.key} code />
      </p>
    </>
  );
}

interface LeadProps {
  readonly line: SeriesLine;
  readonly change: DetectedChange | undefined;
  readonly net: readonly NetChange[];
}

/** The newest value, how it compares with earlier ones, and the last change. */
function Lead({ line, change, net }: LeadProps): JSX.Element {
  return (
    <p class="lead">
      <Text of={line.metric} />
      {line.unit !== "" && (
        <>
          {" in "}
          <Text of={line.unit} short={60} />
        </>
      )}
      , {line.better} is better · {countText(line.count)} points ·{" "}
      {net.map(({ since, delta }) => (
        <span key={since} class="net">
          {deltaText(delta)} since <Text of={since} short={40} /> ·{" "}
        </span>
      ))}
      {net.length > 0 && "last change "}
      <Outcome of={change?.word ?? line.word} />{" "}
      {change === undefined ? (
        !Number.isNaN(line.delta) && deltaText(line.delta)
      ) : (
        <Delta of={change.delta} low={change.low} high={change.high} />
      )}
    </p>
  );
}

function pointText(history: History, versions: VersionColumns, at: number, unit: string): string {
  const version = commitLine(versions, history.version[at] ?? -1);
  const where = version === undefined ? `point ${at + 1}` : `${shortId(version.id)} ${version.subject.slice(0, 60)}`;
  const changed = history.changes.includes(at) ? ", a change" : "";
  return `${valueText(history.center[at] ?? Number.NaN, unit)} at ${where}${changed}`;
}

interface ZoomProps {
  readonly range: PointRange;
  readonly selected: number;
  readonly last: number;
  readonly onRange: (range: PointRange) => void;
}

function Zoom({ range, selected: chosen, last, onRange }: ZoomProps): JSX.Element {
  const isAll = range.from === 0 && range.to === last;
  return (
    <div class="bar">
      <div role="group" aria-label="Zoom">
        <button type="button" onClick={() => onRange(zoomed(range, chosen, 0.5, last))} aria-label="Zoom in">
          +
        </button>{" "}
        <button
          type="button"
          onClick={() => onRange(zoomed(range, chosen, 2, last))}
          aria-label="Zoom out"
          disabled={isAll}
        >
          −
        </button>{" "}
        <button type="button" onClick={() => onRange({ from: 0, to: last })} disabled={isAll}>
          All
        </button>
      </div>
      <span class="quiet" role="status">
        {isAll ? "" : `points ${range.from + 1} to ${range.to + 1} of ${last + 1}`}
      </span>
    </div>
  );
}
