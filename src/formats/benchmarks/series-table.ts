import { Failure } from "../../core/failures/failure.ts";
import { readFloat } from "../../core/values/parse-number.ts";
import { separatedLines } from "../text/csv-lines.ts";

/** A column of a table of series, without the places where it has no value. */
export interface NamedSeries {
  readonly name: string;
  readonly values: Float64Array;
  /** Of each value what the first column has in its line. */
  readonly labels: readonly string[];
}

/**
 * The series of a CSV table: names in the first line, labels of the places (numbers, commits, times) in the first
 * column, a series in each other column. Empty cells and `NaN` are no value. Fails with `bad-series`.
 */
export function readSeriesTable(text: string, file: string): NamedSeries[] {
  const lines = separatedLines(text, file);
  const names: readonly string[] = (lines.next().value?.cells ?? []).slice(1);
  if (names.length === 0)
    throw new Failure("bad-series", { file, line: 1, reason: "it names no series behind the first column" });
  const columns = names.map((name) => ({ name, values: [] as number[], labels: [] as string[] }));
  for (const { line, cells } of lines) {
    if (cells.length > names.length + 1)
      throw new Failure("bad-series", {
        file,
        line,
        reason: `it has ${cells.length} cells, the first line ${names.length + 1}`,
      });
    columns.forEach(({ name, values, labels }, at) => {
      const value = numberOf(cells[at + 1] ?? "", { file, line, name });
      if (value === undefined) return;
      values.push(value);
      labels.push(cells[0] ?? "");
    });
  }
  return columns.map(({ name, values, labels }) => ({ name, values: Float64Array.from(values), labels }));
}

function numberOf(
  cell: string,
  { file, line, name }: { file: string; line: number; name: string },
): number | undefined {
  if (cell === "" || cell.toLowerCase() === "nan") return undefined;
  const value = readFloat(cell);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Failure("bad-series", {
    file,
    line,
    reason: `'${cell.slice(0, 40)}' of series ${name} is no finite number`,
  });
}
