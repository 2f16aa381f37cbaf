import { Failure } from "../../../../core/failures/index.ts";
import type { Value } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type {
  Cut,
  Position,
  RowLayout,
  TableLocation,
  TableValue,
  PatternLocation,
} from "../../../../formats/descriptions/index.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../../../../formats/text/index.ts";
import { capturedText } from "../finders/locator.ts";
import { literalsOf, type Literal } from "../finders/keyword-search.ts";
import type { Line } from "../line.ts";
import { alignedHeadings, displayedColumns } from "./aligned-headings.ts";
import { CharacterScanner, LabelScanner } from "./entry-scanners.ts";
import { EntrySplitter, layoutScanner } from "./entry-splitter.ts";
import { entryValue, noRows, type EntryReader, type LineTable, type ReportLine } from "./line-table.ts";
import { MatrixRows } from "./matrix-rows.ts";
import { RowScanner, type Scanner } from "./row-scanner.ts";
import { haveSpacesInNumbers, type TableShapes } from "./table-shapes.ts";
import { TransposedRows } from "./transposed-rows.ts";

/**
 * Maximum total of characters scanned for all matches in one line. Each search is linear, but a pattern with a long
 * lookahead and short matches makes their sum quadratic.
 */
const mostAhead = 1 << 26;

/** Every match of the pattern, several of them in a line, is a row of the values of its groups. */
class PatternRows implements LineTable {
  readonly variables: readonly Variable[];
  readonly literals: readonly Literal[];
  readonly everyLine: boolean;
  readonly #pattern: Pattern;
  readonly #columns: readonly { readonly reader: EntryReader; readonly group: number; readonly cut: Cut }[];
  readonly #report: ReportLine;

  /** `readers` are those of the groups that are not fixed by the user. */
  constructor({ source, groups: given }: PatternLocation, readers: readonly EntryReader[], report: ReportLine) {
    this.#pattern = compilePattern(source);
    this.#report = report;
    const groups = [...this.#pattern.names];
    this.#columns = readers.map((reader) => {
      const name = reader.variable.name.toLowerCase();
      const group = groups.find(([each]) => each.toLowerCase() === name)?.[1] ?? -1;
      return { reader, group, cut: given.find((each) => each.name.toLowerCase() === name) ?? {} };
    });
    this.variables = readers.map(({ variable }) => variable);
    this.literals = this.#pattern.literal === "" ? [] : literalsOf(this.#pattern.literal, false);
    this.everyLine = this.literals.length === 0;
  }

  take(line: Line): readonly (readonly Value[])[] {
    const { text } = line.block;
    if (!this.everyLine && this.literals.every((literal) => literal.next(text, line.start) >= line.end)) return noRows;
    const rows: Value[][] = [];
    let ahead = 0;
    const whole = line.rest(line.start);
    for (const match of this.#pattern.all(whole)) {
      ahead += whole.length - match.start;
      if (ahead > mostAhead) throw this.#tooMany();
      const row = this.#rowOf(match, whole, line.number);
      if (row) rows.push(row);
    }
    return rows;
  }

  reset(): void {
    // A match never extends beyond its line.
  }

  #rowOf(match: PatternMatch, whole: string, line: number): Value[] | undefined {
    const row: Value[] = [];
    for (const { reader, group, cut } of this.#columns) {
      const text = capturedText(whole, match, group, cut, reader.variable).trim();
      const found = text === "" ? { value: null } : entryValue(reader, text, line, this.#report);
      if ("problem" in found) {
        this.#report("row skipped", line, `row skipped: ${found.problem}`);
        return undefined;
      }
      row.push(found.value);
    }
    return row.some((value) => value !== null) ? row : undefined;
  }

  #tooMany(): Failure {
    const pattern = this.#pattern.source.slice(0, 80);
    return new Failure("pattern-error", { pattern, problem: "it matches too often in one line" });
  }
}

/** All shapes but that of entries between blanks or separators; loaded when a description needs one of them. */
export const shapes: TableShapes = Object.freeze({
  alignedHeadings,
  displayedColumns,
  scanner,
  cells: (layout: RowLayout, text: string) => new EntrySplitter(layout).split(text) ?? [],
  pattern: (...parameters: ConstructorParameters<typeof PatternRows>) => new PatternRows(...parameters),
  transposed: (...parameters: ConstructorParameters<typeof TransposedRows>) => new TransposedRows(...parameters),
  matrix: (...parameters: ConstructorParameters<typeof MatrixRows>) => new MatrixRows(...parameters),
} satisfies TableShapes);

function scanner(table: TableLocation, columns: readonly TableValue[]): Scanner {
  const ranges = columns.flatMap(({ position }): Extract<Position, { kind: "characters" }>[] =>
    position.kind === "characters" ? [position] : [],
  );
  if (ranges.length > 0) return new CharacterScanner(ranges);
  const label = table.values.find((value) => value.label)?.position;
  if (label?.kind === "number" && table.columns !== undefined)
    return new LabelScanner(
      new RowScanner(table.blanks ?? "", haveSpacesInNumbers(columns)),
      label.number - 1,
      table.columns,
    );
  return layoutScanner(table, haveSpacesInNumbers(columns));
}
