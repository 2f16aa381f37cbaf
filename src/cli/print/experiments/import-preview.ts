import type { RunPreview } from "../../../commands/import/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Table } from "../../../core/tables/index.ts";
import { answerFigure, jsonRow } from "../../../core/figures/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Session } from "../../session.ts";
import { renderFigure } from "../figure.ts";

type JsonValue = ReturnType<typeof jsonRow>[number];
type JsonRow = Readonly<Record<string, JsonValue>>;

/** A run in the JSON output of a dry run. */
export interface PreviewedRun {
  /** Values of the run. */
  parameters: JsonRow;
  /** The results among the variables of rows. */
  results: readonly { readonly name: string; readonly unit?: string; readonly better?: "lower" | "higher" }[];
  readonly rows: JsonRow[];
  /** Rows that would update existing rows with equal keys. */
  updates?: { readonly keys: readonly string[]; readonly rows: readonly JsonRow[] }[];
}

/** Prints what an import would store. */
export class ImportPreview implements RunPreview {
  readonly runs: PreviewedRun[] = [];
  readonly #session: Session;
  #run: PreviewedRun = emptyRun();

  constructor(session: Session) {
    this.#session = session;
  }

  begin(): Promise<void> {
    this.#run = emptyRun();
    this.runs.push(this.#run);
    return Promise.resolve();
  }

  async rows(table: Table): Promise<void> {
    if (this.#session.format !== "json") return this.#draw(table);
    this.#run.results = resultsOf(table.variables);
    for (const row of jsonRows(table)) this.#run.rows.push(row);
  }

  async update(table: Table, { keys }: { readonly keys: readonly string[] }): Promise<void> {
    if (this.#session.format !== "json") {
      this.#session.output.data(`updates rows with equal ${keys.map(terminalText).join(", ")}:\n`);
      return this.#draw(table);
    }
    (this.#run.updates ??= []).push({ keys, rows: jsonRows(table) });
  }

  end(once: Table): Promise<void> {
    this.#run.parameters = jsonRows(once)[0] ?? {};
    const [block] = answerFigure(once, "people").blocks;
    if (this.#session.format === "json" || block?.kind !== "table") return Promise.resolve();
    block.head.forEach(({ label }, i) => {
      this.#session.output.data(`${terminalText(label)} = ${terminalText(block.rows[0]?.[i] ?? "")}\n`);
    });
    return Promise.resolve();
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
