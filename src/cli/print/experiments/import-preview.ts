import type { RunPreview } from "../../../commands/import/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import { takeRows, type Table } from "../../../core/tables/index.ts";
import { answerFigure, jsonRow } from "../../../core/figures/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Session } from "../../session.ts";
import { renderFigure } from "../figure.ts";

type JsonValue = ReturnType<typeof jsonRow>[number];
type JsonRow = Readonly<Record<string, JsonValue>>;

/** Maximum number of rows and of values of a run that are printed as text. */
const mostRows = 1000;
const mostValues = 100_000;
/** Maximum number of values of a run in JSON, which is held in memory. */
const mostJsonValues = 10_000_000;

/** A run in the JSON output of a dry run. */
export interface PreviewedRun {
  /** Values of the run. */
  parameters: JsonRow;
  /** The results among the variables of rows. */
  results: readonly { readonly name: string; readonly unit?: string; readonly better?: "lower" | "higher" }[];
  readonly rows: JsonRow[];
  /** Number of rows beyond the maximum, which are not in `rows` and `updates`. */
  omitted?: number;
  /** Rows that would update existing rows with equal keys. */
  updates?: { readonly keys: readonly string[]; readonly rows: readonly JsonRow[] }[];
}

/** Prints what an import would store. */
export class ImportPreview implements RunPreview {
  readonly runs: PreviewedRun[] = [];
  readonly #session: Session;
  #run: PreviewedRun = emptyRun();
  /** Rows and values of the run so far that are printed, and rows that are not. */
  #printed = { rows: 0, values: 0, omitted: 0 };

  constructor(session: Session) {
    this.#session = session;
  }

  begin(): Promise<void> {
    this.#run = emptyRun();
    this.#printed = { rows: 0, values: 0, omitted: 0 };
    this.runs.push(this.#run);
    return Promise.resolve();
  }

  async rows(given: Table): Promise<void> {
    const table = this.#first(given);
    if (given.length > 0 && table.length === 0) return;
    if (this.#session.format !== "json") return this.#draw(table);
    this.#run.results = resultsOf(table.variables);
    for (const row of jsonRows(table)) this.#run.rows.push(row);
  }

  async update(given: Table, { keys }: { readonly keys: readonly string[] }): Promise<void> {
    const table = this.#first(given);
    if (given.length > 0 && table.length === 0) return;
    if (this.#session.format !== "json") {
      this.#session.output.data(`updates rows with equal ${keys.map(terminalText).join(", ")}:\n`);
      return this.#draw(table);
    }
    (this.#run.updates ??= []).push({ keys, rows: jsonRows(table) });
  }

  end(once: Table): Promise<void> {
    this.#run.parameters = jsonRows(once)[0] ?? {};
    const { omitted } = this.#printed;
    if (omitted > 0) this.#reportOmitted(omitted);
    const [block] = answerFigure(once, "people").blocks;
    if (this.#session.format === "json" || block?.kind !== "table") return Promise.resolve();
    block.head.forEach(({ label }, i) => {
      this.#session.output.data(`${terminalText(label)} = ${terminalText(block.rows[0]?.[i] ?? "")}\n`);
    });
    return Promise.resolve();
  }

  /** The rows of a table up to the maximum of its run. */
  #first(table: Table): Table {
    const isJson = this.#session.format === "json";
    const printed = this.#printed;
    const width = Math.max(1, table.variables.length);
    const values = Math.floor(((isJson ? mostJsonValues : mostValues) - printed.values) / width);
    const count = Math.max(0, Math.min(table.length, isJson ? values : Math.min(values, mostRows - printed.rows)));
    printed.rows += count;
    printed.values += count * width;
    printed.omitted += table.length - count;
    return count === table.length
      ? table
      : takeRows(
          table,
          Uint32Array.from({ length: count }, (_, row) => row),
        );
  }

  #reportOmitted(count: number): void {
    const rows = counted(count, "more row");
    if (this.#session.format !== "json") this.#session.output.data(`\u2026 ${rows}: --format json prints more\n`);
    else {
      this.#run.omitted = count;
      this.#session.output.note(`${rows} of a run are left out`);
    }
  }

  async #draw(table: Table): Promise<void> {
    this.#session.output.data(await renderFigure(this.#session, answerFigure(table, "exact"), "text"));
  }
}

function emptyRun(): PreviewedRun {
  return { parameters: {}, results: [], rows: [] };
}

function resultsOf(variables: readonly Variable[]): PreviewedRun["results"] {
  return variables
    .filter(({ role }) => role === "result")
    .map(({ name, unit, better }) => ({
      name,
      ...(unit ? { unit: formatUnit(unit) } : {}),
      ...(better ? { better } : {}),
    }));
}

function jsonRows(table: Table): JsonRow[] {
  const names = table.variables.map(({ name }) => name);
  return Array.from({ length: table.length }, (_, row) =>
    Object.fromEntries(jsonRow(table, row).map((value, at): [string, JsonValue] => [names[at]!, value])),
  );
}
