import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Experiment } from "../../core/experiments/index.ts";
import { rowsOf, type Table } from "../../core/tables/index.ts";
import { formatValue, groupBy, type Value } from "../../core/values/index.ts";
import {
  printExperiment,
  printInput,
  readExperiment,
  readInput,
  type InputDescription,
} from "../../formats/descriptions/index.ts";
import { inOnePiece } from "../../formats/bytes/index.ts";
import {
  expectedValue,
  type Cell,
  type Proposal,
  type ProposedRule,
  type SampleText,
} from "../../formats/proposal/index.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import { assembleRuns } from "../../workspace/import/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A sample with its bytes as the importer gets them. */
export interface Sample extends SampleText {
  readonly bytes: Uint8Array;
}

/** A rule and the values that the importer read as proposed. */
export interface CheckedRule {
  readonly rule: ProposedRule;
  readonly caught: readonly Cell[];
}

export interface CheckedProposal {
  readonly rules: readonly CheckedRule[];
  /** Variables for which the importer read something else, or nothing. */
  readonly misread: ReadonlySet<string>;
  /** Rows of each sample. */
  readonly rows: readonly number[];
  readonly notices: readonly (readonly Notice[])[];
}

interface Notice {
  readonly line: number;
  readonly text: string;
}

/** What the importer reads from one sample. */
interface Reading {
  /** Values of each variable in the order of the input, without missing ones. */
  readonly values: ReadonlyMap<string, readonly Value[]>;
  readonly tables: readonly Table[];
  readonly rows: number;
  readonly notices: readonly Notice[];
  /** A variable that made the import fail. */
  readonly refused?: string;
}

/** Imports the samples with the proposed descriptions, as printed, and compares their values with the proposed ones. */
export async function checkProposal(
  workspace: Workspace,
  proposal: Proposal,
  samples: readonly Sample[],
): Promise<CheckedProposal> {
  const importer = await workspace.registry.get("importer", "description");
  const { file } = proposal.description;
  const description = readInput(printInput(proposal.description), file);
  const experiment = readExperiment(printExperiment(proposal.experiment), file);
  const readings: Reading[] = [];
  for (const sample of samples) readings.push(await readSample(importer, sample, description, experiment));
  const rules = withWholeRows(
    proposal.rules.map((rule) => compare(rule, readings)),
    readings,
  );
  const refused = readings.flatMap(({ refused: name }) => name ?? []);
  const misread = rules.filter(({ isRight }) => !isRight).map(({ rule }) => rule.variable.name);
  return {
    rules: inRowsRead(rules, readings).filter(({ caught }) => caught.length > 0),
    misread: new Set(refused.length > 0 ? refused : misread),
    rows: readings.map(({ rows }) => rows),
    notices: readings.map(({ notices }) => notices),
  };
}

async function readSample(
  importer: Importer,
  { name, bytes }: Sample,
  description: InputDescription,
  experiment: Experiment,
): Promise<Reading> {
  const values = new Map<string, Value[]>();
  const notices: Notice[] = [];
  const tables: Table[] = [];
  let rows = 0;
  const add = (variable: string, value: Value): void => {
    if (value !== null) values.set(variable, [...(values.get(variable) ?? []), value]);
  };
  const events = importer.read(inOnePiece(bytes), new Map(), { experiment, description, path: name });
  const options = {
    fixed: new Map(),
    rows: "null",
    complete: (once: ReadonlyMap<string, Value>) => Promise.resolve(once),
    notice: (line: number, text: string) => void notices.push({ line, text }),
  } as const;
  try {
    for await (const step of assembleRuns(events, experiment, options)) {
      if (step.kind === "rows") {
        rows += addRows(step.table, values);
        tables.push(step.table);
      }
      if (step.kind === "end") for (const [variable, value] of step.once) add(variable, value);
    }
  } catch (error) {
    const refused = refusedVariable(error);
    return { values, tables, rows, notices, ...(refused === undefined ? {} : { refused }) };
  }
  return { values, tables, rows, notices };
}

/** The variable that a value did not fit; undefined when the sample has nothing of the description. */
function refusedVariable(error: unknown): string | undefined {
  if (isFailure(error, "nothing-found")) return undefined;
  const variable = error instanceof Failure ? error.data["variable"] : undefined;
  if (typeof variable === "string") return variable;
  throw error;
}

function addRows(table: Table, values: Map<string, Value[]>): number {
  const rows = rowsOf(table) as readonly (readonly Value[])[];
  for (const [at, { name }] of table.variables.entries()) {
    const found = values.get(name) ?? [];
    for (const row of rows) if (row[at] !== null && row[at] !== undefined) found.push(row[at]);
    values.set(name, found);
  }
  return table.length;
}

interface ComparedRule extends CheckedRule {
  readonly isRight: boolean;
}

/**
 * Accepts tables of which the importer reads more rows than proposed, such as the one below a heading that is printed
 * again: all proposed cells are there, and each further row has a value in every column.
 */
function withWholeRows(rules: readonly ComparedRule[], readings: readonly Reading[]): ComparedRule[] {
  const counts = ({ rule }: ComparedRule): string =>
    readings.map(({ values }) => values.get(rule.variable.name)?.length ?? 0).join();
  const whole = [...groupBy(rules, ({ rule }) => rule.location)].flatMap(([{ kind }, columns]) => {
    const isWhole =
      columns.length > 1 &&
      columns.every((each) => each.caught.length === each.rule.cells.length) &&
      new Set(columns.map(counts)).size === 1;
    return kind === "table" && isWhole ? columns : [];
  });
  const accepted = new Set(whole);
  return rules.map((rule) => (accepted.has(rule) ? { ...rule, isRight: true } : rule));
}

/** Of equal cells of a table in several lines, the importer caught those in the lines that it read as whole rows. */
function inRowsRead(rules: readonly ComparedRule[], readings: readonly Reading[]): ComparedRule[] {
  const read = new Map<ComparedRule, Cell[]>();
  for (const [location, columns] of groupBy(rules, ({ rule }) => rule.location)) {
    if (location.kind !== "table" || columns.length < 2 || columns.some(isConverted)) continue;
    const lines = new Set(readings.flatMap((reading, sample) => linesRead(columns, reading, sample)));
    for (const column of columns)
      read.set(
        column,
        column.rule.cells.filter((cell) => lines.has(lineOf(cell))),
      );
  }
  return rules.map((each) => ({ ...each, caught: read.get(each) ?? each.caught }));
}

/** The lines of a sample whose cells in all columns are those of a row that was read. */
function linesRead(columns: readonly ComparedRule[], { tables }: Reading, sample: number): string[] {
  const rows = new Map<string, number>();
  for (const table of tables) {
    const positions = columns.map(({ rule }) => table.variables.findIndex(({ name }) => name === rule.variable.name));
    for (const row of rowsOf(table) as readonly (readonly Value[])[]) {
      const key = rowKey(positions.map((at) => row[at] ?? null));
      rows.set(key, (rows.get(key) ?? 0) + 1);
    }
  }
  const cells = columns.map(({ rule: { cells: all, column } }) => {
    const own = all.filter((cell) => cell.sample === sample);
    return new Map(own.map((cell) => [lineOf(cell), expectedValue(column, cell.text)]));
  });
  return [...new Set(cells.flatMap((column) => [...column.keys()]))].filter((line) => {
    const key = rowKey(cells.map((column) => column.get(line) ?? null));
    const left = rows.get(key) ?? 0;
    rows.set(key, left - 1);
    return left > 0;
  });
}

function rowKey(values: readonly Value[]): string {
  return JSON.stringify(values.map((value) => (value === null ? null : keyOf(value))));
}

function lineOf({ sample, line }: Cell): string {
  return `${sample}:${line}`;
}

/** True for numbers with units of their own, which the importer converts. */
function isConverted({ rule: { variable, location } }: Pick<ComparedRule, "rule">): boolean {
  return (
    location.kind === "table" && location.values.some(({ name, unit }) => name === variable.name && unit === "text")
  );
}

/** Rows repeat the single values of their set, so only values of tables are counted. */
function compare(rule: ProposedRule, readings: readonly Reading[]): ComparedRule {
  const { variable, location, cells } = rule;
  const isCounted = location.kind === "table";
  const converts = isConverted({ rule });
  const caught: Cell[] = [];
  let isRight = true;
  for (const [sample, { values }] of readings.entries()) {
    const read = values.get(variable.name) ?? [];
    const wanted = cells.filter((cell) => cell.sample === sample);
    if (converts) {
      caught.push(...wanted.slice(0, read.length));
      isRight &&= read.length <= wanted.length;
      continue;
    }
    const left = new Map<string, number>();
    for (const value of read) left.set(keyOf(value), (left.get(keyOf(value)) ?? 0) + 1);
    const unused = new Set(left.keys());
    for (const cell of wanted) {
      const key = keyOf(expectedValue(rule.column, cell.text));
      const count = left.get(key) ?? 0;
      if (count === 0) continue;
      caught.push(cell);
      unused.delete(key);
      if (isCounted) left.set(key, count - 1);
    }
    isRight &&= unused.size === 0 && (!isCounted || [...left.values()].every((count) => count === 0));
  }
  return { rule, caught, isRight: isRight && caught.length > 0 };
}

function keyOf(value: Value): string {
  return typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : formatValue(value, "float");
}
