import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { VersionColumns } from "../../src/core/pages/columns.ts";
import { dayText, shortId, valueText } from "../numbers.ts";
import { href } from "../route.ts";
import type { History } from "../series-lines.ts";
import { Text } from "../text.tsx";
import { versionLine } from "../version-lines.ts";
import { usePrinting } from "./printing.ts";
import { type VirtualColumn, VirtualRows } from "./virtual-rows.tsx";

const heads: readonly VirtualColumn[] = [
  { label: "commit", width: "96px" },
  { label: "date", width: "92px", spare: true },
  { label: "subject", width: "minmax(0, 3fr)" },
  { label: "median", width: "minmax(80px, 1fr)", right: true },
  { label: "least", width: "minmax(80px, 1fr)", right: true, spare: true },
  { label: "greatest", width: "minmax(80px, 1fr)", right: true, spare: true },
  { label: "values", width: "60px", right: true, spare: true },
];

interface HistoryTableProps {
  readonly history: History;
  readonly versions: VersionColumns;
  readonly unit: string;
}

/** The same as the chart, in numbers, the newest first. */
export function HistoryTable({ history, versions, unit }: HistoryTableProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const isShown = usePrinting() || isOpen;
  const count = history.center.length;
  const short = unit.slice(0, 20);
  const cells = (row: number): JSX.Element[] => {
    const at = count - 1 - row;
    const version = versionLine(versions, history.version[at] ?? -1);
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
      {isShown && <VirtualRows label="Points" columns={heads} count={count} cells={cells} />}
    </details>
  );
}
