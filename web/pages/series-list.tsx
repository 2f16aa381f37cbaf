import type { SeriesColumns } from "../../src/core/pages/index.ts";
import { verdictOutcomes } from "../../src/core/verdicts/index.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { historyShape } from "../charts/history-shape.ts";
import { countText, deltaText, valueText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { SortButton } from "../parts/sort-button.tsx";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import { Outcome, outcomeTitles } from "../parts/outcome.tsx";
import { go, href } from "../context/route.ts";
import { chartParams } from "../model/chart-state.ts";
import {
  matchingSeries,
  metricsOf,
  sharedBenchmarkWords,
  sortedSeries,
  seriesLine,
  type SeriesOrder,
  historyOf,
  indexOfKey,
  type SeriesLine,
} from "../model/series-lines.ts";
import { RowName, SharedWordsLine, shown, Text } from "../parts/text.tsx";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { SeriesOverlay } from "./series-overlay.tsx";

/** Nothing is chosen in the chart of several series. */
const unchosen = Object.fromEntries(chartParams.map((name) => [name, ""]));

interface SelectedProps {
  readonly columns: SeriesColumns;
  readonly keys: readonly string[];
  readonly params: Params;
  readonly onSet: (next: Params) => void;
}

/** The histories of the selected series: side by side, each with its own scale, or in one chart. */
function Selected({ columns, keys, params, onSet }: SelectedProps): JSX.Element {
  const indexes = keys.map((key) => indexOfKey(columns, key)).filter((index) => index >= 0);
  const isOverlay = params["in"] === "one";
  return (
    <section class="panel" aria-label={isOverlay ? "In one chart" : "Side by side"}>
      <div class="bar">
        <span>
          {indexes.length} {isOverlay ? "in one chart" : "side by side"}
        </span>
        <button type="button" aria-pressed={isOverlay} onClick={() => onSet({ in: isOverlay ? "" : "one" })}>
          One chart
        </button>
        <button type="button" onClick={() => onSet({ ...unchosen, show: "", in: "" })}>
          Clear selection
        </button>
      </div>
      {isOverlay ? (
        <SeriesOverlay columns={columns} indexes={indexes} params={params} onSet={onSet} />
      ) : (
        <div class="columns">
          {indexes.map((index) => (
            <SmallMultiple key={index} columns={columns} line={seriesLine(columns, index)} />
          ))}
        </div>
      )}
    </section>
  );
}

const paper = { width: 320, height: 110, left: 4, right: 4, top: 6, bottom: 10 };

function SmallMultiple({ columns, line }: { columns: SeriesColumns; line: SeriesLine }): JSX.Element {
  const { source, revision } = usePage();
  const block = useLoaded(() => source.points(columns.arrays.block[line.index] ?? 0), [revision, line.index]);
  return (
    <figure class="small">
      <figcaption>
        <a href={href("series", line.key)}>
          <Text of={line.benchmark} short={120} />
        </a>{" "}
        <Text of={line.metric} short={40} />
      </figcaption>
      <Loaded of={block} what="points">
        {(points) => {
          const history = historyOf(columns, line.index, points);
          const last = history.center.length - 1;
          if (last < 0) return <p class="quiet">no points</p>;
          const shape = historyShape([history], { from: 0, to: last }, paper);
          const first = valueText(history.center[0] ?? 0, line.unit);
          const label = `${last + 1} points from ${first} to ${valueText(line.last, line.unit)}`;
          return (
            <div class="history">
              <svg viewBox={`0 0 ${paper.width} ${paper.height}`} role="img" aria-label={label}>
                <path class="band" d={shape.band} />
                <path class="median" d={shape.medians[0]} />
                {history.changes.map((point) => (
                  <line
                    key={point}
                    class="change"
                    x1={shape.xOf(point)}
                    x2={shape.xOf(point)}
                    y1={0}
                    y2={paper.height}
                  />
                ))}
              </svg>
              <div class="quiet">{label}</div>
            </div>
          );
        }}
      </Loaded>
    </figure>
  );
}

/** Keys of the selected series, from the address; none if it is damaged. */
function selectedKeys({ show = "" }: Params): readonly string[] {
  try {
    const keys: unknown = show === "" ? [] : JSON.parse(show);
    return Array.isArray(keys) ? keys.map(String).slice(0, maxSelected) : [];
  } catch {
    return [];
  }
}

/** Maximum number of small multiples. */
const maxSelected = 60;

/** All series, with search, filters, sorting and small multiples of the selected ones. */
export function SeriesListPage({ route }: PageProps): JSX.Element {
  const { source, revision } = usePage();
  const series = useLoaded(() => source.series(), [revision]);
  return (
    <>
      <h1>Series</h1>
      <Loaded of={series} what="series">
        {(columns) => <SeriesList columns={columns} params={route.params} />}
      </Loaded>
    </>
  );
}

type Params = Readonly<Record<string, string>>;

function SeriesList({ columns, params }: { columns: SeriesColumns; params: Params }): JSX.Element {
  const { text = "", word = "", metric = "", order = "key", down = "" } = params;
  const selected = selectedKeys(params);
  const matching = useMemo(() => matchingSeries(columns, { text, word, metric }), [columns, text, word, metric]);
  const indexes = useMemo(
    () => sortedSeries(columns, matching, order as SeriesOrder, down === "yes"),
    [columns, matching, order, down],
  );
  const set = (next: Params): void => {
    const all = { ...params, ...next };
    go(href("series", "", Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""))), true);
  };
  const choose = (key: string, isSelected: boolean): void => {
    const others = selected.filter((each) => each !== key);
    const next = isSelected ? [...selected, key] : others;
    set({ show: next.length === 0 ? "" : JSON.stringify(next.slice(0, maxSelected)), hide: "", pin: "", at: "" });
  };
  return (
    <>
      <Filters columns={columns} params={params} count={indexes.length} onSet={set} />
      {selected.length > 0 && <Selected columns={columns} keys={selected} params={params} onSet={set} />}
      <SeriesRows
        columns={columns}
        indexes={indexes}
        selected={new Set(selected)}
        params={params}
        onSet={set}
        onChoose={choose}
      />
    </>
  );
}

interface FiltersProps {
  readonly columns: SeriesColumns;
  readonly params: Params;
  readonly count: number;
  readonly onSet: (next: Params) => void;
}

function Filters({ columns, params, count, onSet }: FiltersProps): JSX.Element {
  const metrics = useMemo(() => metricsOf(columns), [columns]);
  const all = columns.arrays.key.length;
  return (
    <div class="bar" role="search">
      <label>
        Search
        <input
          type="search"
          value={params["text"] ?? ""}
          onInput={(event) => onSet({ text: event.currentTarget.value })}
        />
      </label>
      <label>
        Verdict
        <select value={params["word"] ?? ""} onChange={(event) => onSet({ word: event.currentTarget.value })}>
          <option value="">any</option>
          {verdictOutcomes.map((word) => (
            <option key={word} value={word}>
              {outcomeTitles[word]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Metric
        <select value={params["metric"] ?? ""} onChange={(event) => onSet({ metric: event.currentTarget.value })}>
          <option value="">any</option>
          {metrics.map((metric) => (
            <option key={metric} value={metric}>
              {shown(metric).slice(0, 80)}
            </option>
          ))}
        </select>
      </label>
      <span class="quiet" role="status">
        {count === all ? `${countText(all)} series` : `${countText(count)} of ${countText(all)} series`}
      </span>
    </div>
  );
}

interface SeriesRowsProps {
  readonly columns: SeriesColumns;
  readonly indexes: Int32Array;
  readonly params: Params;
  readonly onSet: (next: Params) => void;
  readonly selected: ReadonlySet<string>;
  readonly onChoose: (key: string, isSelected: boolean) => void;
}

function SeriesRows({ columns, indexes, selected, params, onSet, onChoose }: SeriesRowsProps): JSX.Element {
  const { order = "key", down = "" } = params;
  const sorted = (
    label: string,
    name: SeriesOrder,
    more: Partial<VirtualColumn> & { readonly width: string },
  ): VirtualColumn => {
    const sort = order !== name ? undefined : down === "yes" ? "descending" : "ascending";
    const onSort = (): void =>
      onSet({ order: name, down: sort === undefined ? (name === "delta" ? "yes" : "") : down === "yes" ? "" : "yes" });
    return { ...more, sort, label: <SortButton label={label} sort={sort} onSort={onSort} /> };
  };
  const tableColumns: VirtualColumn[] = [
    { label: <span class="unseen">side by side</span>, width: "22px" },
    sorted("benchmark", "key", { width: "minmax(0, 3fr)" }),
    sorted("metric", "metric", { width: "minmax(0, 1fr)", optional: true }),
    { label: "verdict", width: "104px" },
    sorted("change", "delta", { width: "84px", right: true }),
    sorted("latest", "last", { width: "minmax(84px, 130px)", right: true, optional: true }),
    sorted("points", "count", { width: "76px", right: true, optional: true }),
  ];
  const names = useMemo(() => sharedBenchmarkWords(columns), [columns]);
  const cells = (row: number): JSX.Element[] => {
    const line = seriesLine(columns, indexes[row] ?? 0);
    return [
      <input
        type="checkbox"
        aria-label={`side by side: ${shown(line.benchmark).slice(0, 80)} ${shown(line.metric).slice(0, 40)}`}
        checked={selected.has(line.key)}
        onChange={(event) => onChoose(line.key, event.currentTarget.checked)}
      />,
      <a href={href("series", line.key)}>
        <RowName of={names.ownPart(line.benchmark)} metric={line.metric} />
      </a>,
      <Text of={line.metric} short={80} />,
      <Outcome of={line.word} />,
      <>{deltaText(line.delta)}</>,
      <Text of={valueText(line.last, line.unit)} short={40} />,
      <>{countText(line.count)}</>,
    ];
  };
  return (
    <>
      <SharedWordsLine of={names} />
      <VirtualRows label="Series" columns={tableColumns} count={indexes.length} cells={cells} />
    </>
  );
}
