import type { JSX } from "preact";

interface SortButtonProps {
  readonly label: string;
  /** Whether rows are in order of this column, and which way. */
  readonly sort: "ascending" | "descending" | undefined;
  readonly onSort: () => void;
}

/** The head of a column that rows can be put in order of. */
export function SortButton({ label, sort, onSort }: SortButtonProps): JSX.Element {
  return (
    <button class="sort" type="button" onClick={onSort}>
      {label}
      <span aria-hidden="true">{sort === undefined ? "" : sort === "ascending" ? " ▲" : " ▼"}</span>
    </button>
  );
}
