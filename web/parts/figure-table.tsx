import type { TableBlock } from "../../src/core/figures/index.ts";
import { shown, Text } from "./text.tsx";
import { SortButton } from "./sort-button.tsx";
import { VirtualRows } from "./virtual-rows.tsx";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { sortedRows } from "./table-order.ts";

/** Longer tables render only the visible rows. */
const maxUnvirtualized = 400;

interface Order {
  readonly column: number;
  readonly down: boolean;
}

/** A table of a figure, sortable by every column. */
export function FigureTable({ table }: { readonly table: TableBlock }): JSX.Element {
  const [order, setOrder] = useState<Order | null>(null);
  const rows = useMemo(
    () => (order === null ? table.rows : sortedRows(table.rows, order.column, order.down)),
    [table, order],
  );
  const sortOf = (column: number): "ascending" | "descending" | undefined =>
    order?.column === column ? (order.down ? "descending" : "ascending") : undefined;
  const head = (column: number): JSX.Element => (
    <SortButton
      label={shown(table.head[column]?.label ?? "").slice(0, 120)}
      sort={sortOf(column)}
      onSort={() =>
        setOrder({ column, down: order?.column === column ? !order.down : table.head[column]?.align === "right" })
      }
    />
  );
  const caption = table.caption ?? "";
  if (rows.length > maxUnvirtualized) {
    const columns = table.head.map((column, i) => ({
      label: head(i),
      width: "minmax(90px, 1fr)",
      right: column.align === "right",
      sort: sortOf(i),
    }));
    const cells = (row: number): JSX.Element[] => (rows[row] ?? []).map((cell) => <Text of={cell} short={200} />);
    return (
      <>
        {caption !== "" && <p class="quiet">{<Text of={caption} short={300} />}</p>}
        <VirtualRows
          label={caption === "" ? "Table" : shown(caption).slice(0, 120)}
          columns={columns}
          count={rows.length}
          cells={cells}
        />
      </>
    );
  }
  return (
    <div
      class="scrolls"
      tabIndex={0}
      role="region"
      aria-label={caption === "" ? "Table" : shown(caption).slice(0, 120)}
    >
      <table class="narrow">
        {caption !== "" && (
          <caption>
            <Text of={caption} short={300} />
          </caption>
        )}
        <thead>
          <tr>
            {table.head.map((column, i) => (
              <th key={i} scope="col" class={column.align === "right" ? "number" : ""} aria-sort={sortOf(i)}>
                {head(i)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, i) => (
            <tr key={i}>
              {cells.map((cell, k) => (
                <td key={k} class={table.head[k]?.align === "right" ? "number" : ""}>
                  <Text of={cell} short={1000} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
