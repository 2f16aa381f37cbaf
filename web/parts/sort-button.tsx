import type { JSX } from "preact";

interface SortButtonProps {
  readonly label: string;
  /** Sort direction of this column; undefined: not sorted by it. */
  readonly sort: "ascending" | "descending" | undefined;
  readonly onSort: () => void;
}

/** The header of a sortable column. */
export function SortButton({ label, sort, onSort }: SortButtonProps): JSX.Element {
  return (
    <button class="sort" type="button" onClick={onSort}>
      {label}
      <span aria-hidden="true">{sort === undefined ? "" : sort === "ascending" ? " ▲" : " ▼"}</span>
    </button>
  );
}
