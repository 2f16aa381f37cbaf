import type { VersionColumns } from "../../src/core/pages/index.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { changesOf, detectedChange, type DetectedChange } from "../model/change-lines.ts";
import { countText, dayText, deltaText, shortId, valueText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { ChangePoints } from "../parts/change-points.tsx";
import { PointDetails } from "../parts/point-details.tsx";
import { SeriesChart } from "../charts/series-chart.tsx";
import { usePrinting } from "../parts/printing.ts";
import { TriageForm } from "../parts/triage-form.tsx";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import { Delta, Outcome } from "../parts/outcome.tsx";
import { go, href, type Route } from "../context/route.ts";
import { type ChartData, chartData } from "../model/chart-data.ts";
import { type NetChange, netChanges } from "../model/net-changes.ts";
import { type History, historyOf, indexOfKey, seriesLine, type SeriesLine } from "../model/series-lines.ts";
import { Text } from "../parts/text.tsx";
import { commitLine } from "../model/commit-lines.ts";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";

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
      {(loaded) => <SeriesView {...loaded} params={route.params} />}
    </Loaded>
  );
}

interface SeriesViewProps {
  readonly versions: VersionColumns;
  readonly line: SeriesLine;
  /** Newest first. */
  readonly changes: readonly DetectedChange[];
  readonly history: History;
  readonly params: Route["params"];
}

function SeriesView({ versions, line, changes, history, params }: SeriesViewProps): JSX.Element {
  const data = useMemo(() => chartData(versions, [{ line, history }]), [versions, line, history]);
  const [change] = changes;
  return (
    <>
      <h1>
        <Text of={line.benchmark} />
      </h1>
      <Lead line={line} change={change} net={netChanges(history, versions)} />
      {history.center.length === 0 ? (
        <p>This series has no points.</p>
      ) : (
        <HistorySection data={data} changes={changes} history={history} line={line} params={params} />
      )}
      <p class="quiet">
        Key: <Text of={line.key} code />
      </p>
    </>
  );
}

interface HistorySectionProps extends Omit<SeriesViewProps, "versions"> {
  readonly data: ChartData;
}

function HistorySection({ data, line, changes, history, params }: HistorySectionProps): JSX.Element {
  const { source } = usePage();
  const { versions } = data;
  const changeAt = (point: number): DetectedChange | undefined =>
    changes.find(({ after }) => after >= 0 && after === history.version[point]);
  const set = (next: Route["params"]): void => {
    const given = Object.entries({ ...params, ...next }).filter(([, value]) => value !== "");
    go(href("series", line.key, Object.fromEntries(given)), true);
  };
  return (
    <section aria-label="History">
      <SeriesChart
        data={data}
        start={{ line: 0, slot: history.changes.at(-1) ?? history.center.length - 1 }}
        params={params}
        onSet={set}
        below={(select) => (
          <ChangePoints
            history={history}
            versions={versions}
            unit={line.unit}
            changeAt={changeAt}
            onChoose={(slot) => select({ line: 0, slot })}
          />
        )}
      >
        {({ slot }) => (
          <PointDetails
            series={line.index}
            history={history}
            versions={versions}
            at={slot}
            unit={line.unit}
            change={changeAt(slot)}
          />
        )}
      </SeriesChart>
      {source.live !== undefined && <TriageForm seriesKey={line.key} triage={changes[0]?.triage ?? null} />}
      <HistoryTable history={history} versions={versions} unit={line.unit} />
    </section>
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
