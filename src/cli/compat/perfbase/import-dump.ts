import type { RunPreview } from "../../../commands/import-options.ts";
import { rowsOf, type Table } from "../../../core/table.ts";
import { formatValue, type Value } from "../../../core/value.ts";
import type { Session } from "../../session.ts";

/** What perfbase prints in test mode: per run its once contents, and each data set as a Python dictionary of texts on one line. */
export class ImportDump implements RunPreview {
  readonly #session: Session;
  #run = 0;
  #sets = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  async begin(): Promise<void> {
    this.#run += 1;
    this.#sets = 0;
  }

  async rows(table: Table): Promise<void> {
    const lines = rowsOf(table).map((cells) => {
      const entries = table.variables.flatMap(({ name, type }, at) => {
        const value = cells[at] as Value;
        return value === null ? [] : [`${python(name)}: ${python(formatValue(value, type))}`];
      });
      return `Dataset ${this.#sets++} in run ${this.#run}\n{${entries.join(", ")}}\n`;
    });
    this.#session.output.data(lines.join(""));
  }

  update(table: Table): Promise<void> {
    return this.rows(table);
  }

  async foundOnce(once: Table): Promise<void> {
    const [cells = []] = rowsOf(once);
    const lines = once.variables.flatMap(({ name, type }, at) => {
      const value = cells[at] as Value;
      return value === null
        ? []
        : [`  ${name}\t= ${oneLine(typeof value === "boolean" ? truth(value) : formatValue(value, type))}\n`];
    });
    if (lines.length > 0) this.#session.output.data(`Storing single value(s) in run  ${this.#run}\n${lines.join("")}`);
  }

  async end(): Promise<void> {}
}

function truth(value: boolean): string {
  return value ? "t" : "f";
}

function python(text: string): string {
  return `'${oneLine(text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`))}'`;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", String.raw`\n`).replaceAll("\r", String.raw`\r`);
}
