import type { JSX } from "preact";
import type { SeriesColumns } from "../../src/core/pages/columns.ts";
import { Answered, useAnswer } from "../answer.tsx";
import { historyShape } from "../history-shape.ts";
import { valueText } from "../numbers.ts";
import { usePage } from "../page-context.ts";
import { href } from "../route.ts";
import { historyOf, placeOfKey, seriesLine, type SeriesLine } from "../series-lines.ts";
import { Text } from "../text.tsx";

interface SmallMultiplesProps {
  readonly columns: SeriesColumns;
  readonly keys: readonly string[];
  readonly onClear: () => void;
}

/** The histories of some series side by side, each on its own scale. */
export function SmallMultiples({ columns, keys, onClear }: SmallMultiplesProps): JSX.Element {
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
