import type { RunPreview } from "../../commands/import-options.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { Table } from "../../core/table.ts";
import { answerFigure, jsonRow } from "../../core/table-figure.ts";
import type { Session } from "../session.ts";
import { renderFigure } from "./figure.ts";

/** A run as the JSON of a dry run shows it. */
interface FoundRun {
  once: Record<string, unknown>;
  columns: string[];
  readonly rows: unknown[][];
  /** Rows that would change data sets. */
  updates?: { keys: readonly string[]; columns: string[]; rows: unknown[][] }[];
}

/** Shows what an import would store. */
export class ImportPreview implements RunPreview {
  readonly found: FoundRun[] = [];
  readonly #session: Session;
  #run: FoundRun = { once: {}, columns: [], rows: [] };

  constructor(session: Session) {
    this.#session = session;
  }

  begin(): Promise<void> {
    this.#run = { once: {}, columns: [], rows: [] };
    this.found.push(this.#run);
    return Promise.resolve();
  }

  async rows(table: Table): Promise<void> {
    if (this.#session.format !== "json") return this.#draw(table);
    this.#run.columns = namesOf(table);
    for (let row = 0; row < table.length; row++) this.#run.rows.push(jsonRow(table, row));
  }

  async update(table: Table, { keys }: { readonly keys: readonly string[] }): Promise<void> {
    if (this.#session.format !== "json") {
      this.#session.output.data(`changes where ${keys.map(terminalText).join(", ")} agree:\n`);
      return this.#draw(table);
    }
    const rows = Array.from({ length: table.length }, (_, row) => jsonRow(table, row));
    (this.#run.updates ??= []).push({ keys, columns: namesOf(table), rows });
  }

  end(once: Table): Promise<void> {
    const values = jsonRow(once, 0);
    this.#run.once = Object.fromEntries(once.variables.map(({ name }, i) => [name, values[i] ?? null]));
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

function namesOf(table: Table): string[] {
  return table.variables.map(({ name }) => name);
}
