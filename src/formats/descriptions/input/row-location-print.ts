import {
  printCut,
  printEffects,
  printLayout,
  printMark,
  printMissing,
  printRow,
  printStart,
  quoted,
  word,
  yes,
} from "./print-words.ts";
import type { MatrixLocation, MatrixValue, PatternLocation, TransposedLocation } from "./row-locations.ts";

/** PATTERN, and a GROUP line for each group with descriptors. */
export function printPattern({ source, rows, groups, ...effects }: PatternLocation): string[] {
  const lines = groups.flatMap(({ name, ...cut }) => {
    const words = printCut(cut);
    return words.length === 0 ? [] : [["GROUP", name, ...words].join(" ")];
  });
  return [["PATTERN", ...quoted("regexp", source), ...yes("rows", rows), ...printEffects(effects)].join(" "), ...lines];
}

/** A line for each variable. */
export function printTransposed(location: TransposedLocation, number: number): string[] {
  const { blanks } = location;
  return location.values.map(({ name, row, missing, ...cut }) =>
    [
      "TRANSPOSED",
      name,
      ...printMark("row", row),
      ...printLayout(location),
      ...(number > 1 ? word("table", number) : []),
      ...printMissing(missing),
      ...printCut({ ...cut, ...(blanks === undefined ? {} : { blanks }) }),
    ].join(" "),
  );
}

/** MATRIX with its ACROSS and DOWN lines. */
export function printMatrix(location: MatrixLocation): string[] {
  const { rows, start, most, blanks, cell, across, down, label, optional, missing } = location;
  const { name, ...cut } = cell;
  const first = [
    "MATRIX",
    name,
    ...rows.flatMap(printRow),
    ...printStart(start),
    ...word("rows", most),
    ...printLayout(location),
    ...yes("optional", optional),
    ...printMissing(missing),
    ...printCut({ ...cut, ...(blanks === undefined ? {} : { blanks }) }),
  ];
  return [
    first.join(" "),
    ["ACROSS", ...printPart(across)].join(" "),
    ["DOWN", ...printPart(down), ...yes("label", label)].join(" "),
  ];
}

function printPart({ name, ...cut }: MatrixValue): string[] {
  return [name, ...printCut(cut)];
}
