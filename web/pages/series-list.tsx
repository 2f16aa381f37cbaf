import type { SeriesColumns } from "../../src/core/pages/columns.ts";
import { verdictOutcomes } from "../../src/core/verdicts/verdict.ts";
import { Answered, useAnswer } from "../parts/answer.tsx";
import { historyShape } from "../charts/history-shape.ts";
import { countText, deltaText, valueText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { SortButton } from "../parts/sort-button.tsx";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import { Word, wordTitles } from "../parts/outcome.tsx";
import { go, href } from "../context/route.ts";
import {
  fittingSeries,
  metricsOf,
  orderedSeries,
  seriesLine,
  type SeriesOrder,
  historyOf,
  placeOfKey,
  type SeriesLine,
} from "../model/series-lines.ts";
import { shown, Text } from "../parts/text.tsx";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";

interface SmallMultiplesProps {
  readonly columns: SeriesColumns;
  readonly keys: readonly string[];
  readonly onClear: () => void;
}

/** The histories of some series side by side, each on its own scale. */
function SmallMultiples({ columns, keys, onClear }: SmallMultiplesProps): JSX.Element {
  const places = keys.map((key) => placeOfKey(columns, key)).filter((place) => place >= 0);
  return (
    <section class="panel" aria-label="Side by side">
      <div class="bar">
        <span>{places.length} side by side</span>
        <button type="button" onClick={onClear}>
          Put them back
        </button>
      </div>
      <div class="columns">
        {places.map((place) => (
          <Small key={place} columns={columns} line={seriesLine(columns, place)} />
        ))}
      </div>
    </section>
  );
}

const paper = { width: 320, height: 110, left: 4, right: 4, top: 6, bottom: 10 };

function Small({ columns, line }: { columns: SeriesColumns; line: SeriesLine }): JSX.Element {
  const { source, moment } = usePage();
  const block = useAnswer(() => source.points(columns.arrays.block[line.place] ?? 0), [moment, line.place]);
  return (
    <figure class="small">
      <figcaption>
        <a href={href("series", line.key)}>
          <Text of={line.benchmark} short={120} />
        </a>{" "}
        <Text of={line.metric} short={40} />
      </figcaption>
      <Answered of={block} what="points">
        {(points) => {
          const history = historyOf(columns, line.place, points);
          const last = history.center.length - 1;
          if (last < 0) return <p class="quiet">no points</p>;
          const shape = historyShape(history, { from: 0, to: last }, paper);
          const label = `${last + 1} points from ${valueText(history.center[0] ?? 0, line.unit)} to ${valueText(line.last, line.unit)}`;
          return (
            <div class="history">
              <svg viewBox={`0 0 ${paper.width} ${paper.height}`} role="img" aria-label={label}>
                <path class="band" d={shape.band} />
                <path class="median" d={shape.median} />
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
      </Answered>
    </figure>
  );
}

/** Keys of the series that somebody chose to see side by side; they stay chosen while one goes from page to page. */
const chosenSeries = new Set<string>();

/** So many small pictures are enough at once. */
const mostChosen = 60;

/** All series: searched, filtered, put in order; chosen ones side by side. */
export function SeriesListPage({ route }: PageProps): JSX.Element {
  const { source, moment } = usePage();
  const series = useAnswer(() => source.series(), [moment]);
  return (
    <>
      <h1>Series</h1>
      <Answered of={series} what="series">
        {(columns) => <SeriesList columns={columns} words={route.words} />}
      </Answered>
    </>
  );
}

type Words = Readonly<Record<string, string>>;

function SeriesList({ columns, words }: { columns: SeriesColumns; words: Words }): JSX.Element {
  const { text = "", word = "", metric = "", order = "key", down = "" } = words;
  const [chosen, setChosen] = useState(0);
  const fitting = useMemo(() => fittingSeries(columns, { text, word, metric }), [columns, text, word, metric]);
  const places = useMemo(
    () => orderedSeries(columns, fitting, order as SeriesOrder, down === "yes"),
    [columns, fitting, order, down],
  );
  const set = (next: Words): void => {
    const all = { ...words, ...next };
    go(href("series", "", Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""))), true);
  };
  const choose = (keys: readonly string[], isChosen: boolean): void => {
    for (const key of keys) {
      if (!isChosen) chosenSeries.delete(key);
      else if (chosenSeries.size < mostChosen) chosenSeries.add(key);
    }
    setChosen(chosen + 1);
  };
  return (
    <>
      <Filters columns={columns} words={words} count={places.length} onSet={set} />
      {chosenSeries.size > 0 && (
        <SmallMultiples columns={columns} keys={[...chosenSeries]} onClear={() => choose([...chosenSeries], false)} />
      )}
      <SeriesRows columns={columns} places={places} words={words} onSet={set} onChoose={choose} />
    </>
  );
}

interface FiltersProps {
  readonly columns: SeriesColumns;
  readonly words: Words;
  readonly count: number;
  readonly onSet: (next: Words) => void;
}

function Filters({ columns, words, count, onSet }: FiltersProps): JSX.Element {
  const metrics = useMemo(() => metricsOf(columns), [columns]);
  const all = columns.arrays.key.length;
  return (
    <div class="bar" role="search">
      <label>
        Search
        <input
          type="search"
          value={words["text"] ?? ""}
          onInput={(event) => onSet({ text: event.currentTarget.value })}
        />
      </label>
      <label>
        Verdict
        <select value={words["word"] ?? ""} onChange={(event) => onSet({ word: event.currentTarget.value })}>
          <option value="">any</option>
          {verdictOutcomes.map((word) => (
            <option key={word} value={word}>
              {wordTitles[word]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Metric
        <select value={words["metric"] ?? ""} onChange={(event) => onSet({ metric: event.currentTarget.value })}>
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
  readonly places: Int32Array;
  readonly words: Words;
  readonly onSet: (next: Words) => void;
  readonly onChoose: (keys: readonly string[], isChosen: boolean) => void;
}

function SeriesRows({ columns, places, words, onSet, onChoose }: SeriesRowsProps): JSX.Element {
  const { order = "key", down = "" } = words;
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
  const heads: VirtualColumn[] = [
    { label: <span class="unseen">side by side</span>, width: "22px" },
    sorted("benchmark", "key", { width: "minmax(0, 3fr)" }),
    sorted("metric", "metric", { width: "minmax(0, 1fr)", spare: true }),
    { label: "verdict", width: "104px" },
    sorted("change", "delta", { width: "84px", right: true }),
    sorted("now", "last", { width: "minmax(84px, 130px)", right: true, spare: true }),
    sorted("points", "count", { width: "76px", right: true, spare: true }),
  ];
  const cells = (row: number): JSX.Element[] => {
    const line = seriesLine(columns, places[row] ?? 0);
    return [
      <input
        type="checkbox"
        aria-label={`side by side: ${shown(line.benchmark).slice(0, 80)} ${shown(line.metric).slice(0, 40)}`}
        checked={chosenSeries.has(line.key)}
        onChange={(event) => onChoose([line.key], event.currentTarget.checked)}
      />,
      <a href={href("series", line.key)}>
        <Text of={line.benchmark} short={200} />
      </a>,
      <Text of={line.metric} short={80} />,
      <Word of={line.word} />,
      <>{deltaText(line.delta)}</>,
      <Text of={valueText(line.last, line.unit)} short={40} />,
      <>{countText(line.count)}</>,
    ];
  };
  return <VirtualRows label="Series" columns={heads} count={places.length} cells={cells} />;
}
