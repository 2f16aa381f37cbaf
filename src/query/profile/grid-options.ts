import type { Variable } from "../../core/variables/index.ts";

const rangeCount = { role: "parameter", occurrence: "once", type: "integer" } as const;

/** Options of all heap grid charts. */
export const gridOptions: readonly Variable[] = [
  {
    name: "where",
    role: "parameter",
    occurrence: "once",
    type: "text",
    default: null,
    synopsis: "conditions on rows, one per line, as in perfkeep query",
  },
  { ...rangeCount, name: "rows", default: 40, synopsis: "maximum number of address ranges" },
  { ...rangeCount, name: "columns", default: 80, synopsis: "maximum number of snapshot ranges" },
  {
    name: "title",
    role: "parameter",
    occurrence: "once",
    type: "string",
    default: null,
    synopsis: "title of the chart",
  },
];
