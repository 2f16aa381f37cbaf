import type { JSX } from "preact";
import type { ChangeColumns, SeriesColumns } from "../../src/core/pages/columns.ts";
import { foundChange } from "../change-lines.ts";
import { countText } from "../numbers.ts";
import { href } from "../route.ts";
import { Text } from "../text.tsx";
import { type VirtualColumn, VirtualRows } from "./virtual-rows.tsx";
import { Delta, Word } from "./word.tsx";

const heads: readonly VirtualColumn[] = [
  { label: "verdict", width: "104px" },
  { label: "benchmark", width: "minmax(0, 3fr)" },
  { label: "metric", width: "minmax(0, 1fr)", spare: true },
  { label: "change", width: "minmax(84px, 1.6fr)", right: true },
  { label: "suspects", width: "76px", right: true, spare: true },
  { label: "decided", width: "92px", spare: true },
];

interface FoundChangesProps {
  readonly series: SeriesColumns;
  readonly changes: ChangeColumns;
  /** Which of the changes. */
  readonly places: readonly number[];
}

/** Changes of a version, however many there are. */
export function FoundChanges({ series, changes, places }: FoundChangesProps): JSX.Element {
  const cells = (row: number): JSX.Element[] => {
    const change = foundChange(changes, series, places[row] ?? -1);
    return [
      <Word of={change.word} />,
      <a href={href("series", change.series.key)}>
        <Text of={change.series.benchmark} short={200} />
      </a>,
      <Text of={change.series.metric} short={80} />,
      <Delta of={change.delta} low={change.low} high={change.high} />,
      <>{change.suspects > 1 ? countText(change.suspects) : ""}</>,
      <Text of={change.triage ?? ""} short={40} />,
    ];
  };
  return <VirtualRows label="Changes" columns={heads} count={places.length} cells={cells} />;
}
