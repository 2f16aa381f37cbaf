import type { Variable } from "../../core/variables/variable.ts";

const stretches = { role: "parameter", occurrence: "once", type: "integer" } as const;

/** What each picture of a heap grid can be told. */
export const gridOptions: readonly Variable[] = [
  {
    name: "where",
    role: "parameter",
    occurrence: "once",
    type: "text",
    default: null,
    synopsis: "conditions on rows, one a line, as in perfkeep query",
  },
  { ...stretches, name: "rows", default: 40, synopsis: "at most so many stretches of addresses" },
  { ...stretches, name: "columns", default: 80, synopsis: "at most so many stretches of snapshots" },
  {
    name: "title",
    role: "parameter",
    occurrence: "once",
    type: "string",
    default: null,
    synopsis: "what stands above it",
  },
];
