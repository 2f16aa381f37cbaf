import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { FlameGraph } from "../../src/core/flame-graph.ts";
import { amountText, shareText } from "../amounts.ts";
import { functionSums } from "../flame-sums.ts";
import { Text } from "../text.tsx";
import { usePrinting } from "./printing.ts";
import { type VirtualColumn, VirtualRows } from "./virtual-rows.tsx";

const heads: readonly VirtualColumn[] = [
  { label: "frame", width: "minmax(0, 3fr)" },
  { label: "itself", width: "minmax(90px, 1fr)", right: true },
  { label: "share", width: "80px", right: true },
  { label: "with all below", width: "minmax(110px, 1fr)", right: true, spare: true },
];

/** The same as the graph in numbers, by the name of the frame. */
export function FlameTable({ graph }: { readonly graph: FlameGraph }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const isShown = usePrinting() || isOpen;
  const sums = useMemo(() => (isShown ? functionSums(graph) : []), [graph, isShown]);
  const whole = graph.total[0] ?? 0;
  const cells = (row: number): JSX.Element[] => {
    const { name = "", self = 0, total = 0 } = sums[row] ?? {};
    return [
      <Text of={name} short={300} />,
      <>{amountText(self, graph.unit)}</>,
      <>{shareText(self, whole)}</>,
      <>{amountText(total, graph.unit)}</>,
    ];
  };
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Frames as a table</summary>
      {isShown && <VirtualRows label="Frames" columns={heads} count={sums.length} cells={cells} />}
    </details>
  );
}
