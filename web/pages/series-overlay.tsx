import type { JSX } from "preact";
import type { SeriesColumns } from "../../src/core/pages/index.ts";
import { usePage } from "../context/page-context.ts";
import { chartData } from "../model/chart-data.ts";
import { historyOf, seriesLine } from "../model/series-lines.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { SeriesChart } from "../charts/series-chart.tsx";

type Params = Readonly<Record<string, string>>;

interface SeriesOverlayProps {
  readonly columns: SeriesColumns;
  readonly indexes: readonly number[];
  readonly params: Params;
  readonly onSet: (next: Params) => void;
}

/** Several series in one chart. */
export function SeriesOverlay({ columns, indexes, params, onSet }: SeriesOverlayProps): JSX.Element {
  const { source, revision } = usePage();
  const loaded = useLoaded(async () => {
    const lines = indexes.map(async (index) => {
      const block = await source.points(columns.arrays.block[index] ?? 0);
      return { line: seriesLine(columns, index), history: historyOf(columns, index, block) };
    });
    return chartData(await source.versions(), await Promise.all(lines));
  }, [revision, columns, indexes.join()]);
  return (
    <Loaded of={loaded} what="points">
      {(data) =>
        data.slots.length === 0 ? (
          <p class="quiet">No point of these series has a commit.</p>
        ) : (
          <SeriesChart data={data} start={{ line: 0, slot: data.slots.length - 1 }} params={params} onSet={onSet} />
        )
      }
    </Loaded>
  );
}
