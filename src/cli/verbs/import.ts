import { importFiles, type ImportOptions, type ImportResult, type RunPreview } from "../../commands/import.ts";
import { Failure } from "../../core/errors.ts";
import { abbreviate } from "../../core/digest.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { Table } from "../../core/table.ts";
import { answerFigure, jsonRow } from "../../core/table-figure.ts";
import type { Arguments } from "../arguments.ts";
import { renderFigure } from "../print/figure.ts";
import { openProgress } from "../progress.ts";
import type { Session } from "../session.ts";
import type { Verb } from "../verb.ts";
import { databaseOption } from "./options.ts";

const missingPolicies = ["abort", "ignore"] as const;

export const importVerb: Verb = {
  name: "import",
  summary: "read benchmark output into an experiment",
  details: [
    "All files are stored, or none. The raw files and the description are kept. A file that was imported before is refused.",
    "Inside a repository the runs belong to the commit that is checked out.",
    "",
    "Example: perfkeep import -e b_eff_io -d b_eff_io.inp results/*.sum",
  ].join("\n"),
  operands: [{ name: "<file...>", synopsis: "output of the benchmark; - is standard input" }],
  options: [
    { flags: "-e, --experiment <name>", synopsis: "where the values belong" },
    { flags: "-d, --description <file>", synopsis: "the input description: where the values stand", also: ["-i", "--input"] },
    { flags: "-f, --fixed <name=content>", synopsis: "content of a variable, instead of what the file says", repeat: true },
    {
      flags: "-a, --missing <policy>",
      synopsis: "when a value without default is not found: store nothing at all, or no value",
      choices: missingPolicies,
      default: "abort",
    },
    { flags: "--label <text>", synopsis: "name for the runs" },
    { flags: "--synopsis <text>", synopsis: "what the runs are about" },
    { flags: "--performed <time>", synopsis: "when it was measured (default: now)" },
    { flags: "--force", synopsis: "import although the same file was imported before" },
    { flags: "-t, --dry-run", synopsis: "print the values, store nothing" },
    databaseOption,
  ],
  formats: ["json"],
  async run(session, args) {
    const preview = args.flag("dryRun") ? new Preview(session) : undefined;
    const progress = openProgress(session);
    const result = await importFiles(session.workspace, {
      ...optionsOf(args),
      ...(preview ? { preview } : {}),
      notice: (file, line, text) => session.output.note(`${terminalText(file)}:${line}: ${terminalText(text)}`),
      progress: (bytes, total) => total !== undefined && progress.show(bytes, total, "reading"),
    }).finally(() => progress.hide());
    report(session, result, preview);
    return 0;
  },
};

function optionsOf(args: Arguments): Omit<ImportOptions, "notice" | "progress" | "preview"> {
  const texts = {
    label: args.text("label"),
    synopsis: args.text("synopsis"),
    performed: args.text("performed"),
    database: args.text("db"),
  };
  return {
    experiment: required(args, "experiment"),
    description: required(args, "description"),
    files: args.rest(0),
    fixed: args.texts("fixed").map(assignment),
    missing: args.text("missing") === "ignore" ? "null" : "refuse",
    force: args.flag("force"),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
  };
}

function required(args: Arguments, name: string): string {
  const value = args.text(name);
  if (value === undefined) throw new Failure("bad-usage", { reason: `--${name} is missing`, command: "perfkeep import" });
  return value;
}

function assignment(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new Failure("bad-option", { option: "--fixed", value: text, expected: "name=content", command: "import" });
  return [text.slice(0, at), text.slice(at + 1)];
}

function report(session: Session, result: ImportResult, preview: Preview | undefined): void {
  const { output } = session;
  if (session.format === "json") {
    output.document("perfkeep.import/1", { ...result, ...(preview ? { found: preview.found } : {}) });
    return;
  }
  for (const { file, run, dataSets } of result.runs) {
    const name = run === undefined ? "would be a run" : `run ${run}`;
    const rows = dataSets === 0 ? "" : ` with ${dataSets} data sets`;
    output.data(`${terminalText(file)}: ${name} of ${terminalText(result.experiment)}${rows}\n`);
  }
  if (result.version) output.detail(`belongs to ${abbreviate(result.version)}${result.dirty ? ", with uncommitted changes" : ""}`);
}

/** Shows what an import would store. */
class Preview implements RunPreview {
  readonly found: { once: Record<string, unknown>; columns: string[]; rows: unknown[][] }[] = [];
  readonly #session: Session;
  #run = { once: {} as Record<string, unknown>, columns: [] as string[], rows: [] as unknown[][] };

  constructor(session: Session) {
    this.#session = session;
  }

  begin(): Promise<void> {
    this.#run = { once: {}, columns: [], rows: [] };
    this.found.push(this.#run);
    return Promise.resolve();
  }

  async rows(table: Table): Promise<void> {
    if (this.#session.format !== "json") {
      this.#session.output.data(await renderFigure(this.#session, answerFigure(table, "exact"), "text"));
      return;
    }
    this.#run.columns = table.variables.map((variable) => variable.name);
    for (let row = 0; row < table.length; row++) this.#run.rows.push(jsonRow(table, row));
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
}
