import { directionOfName, namesCondition, namesOutcome } from "../../core/measurements/index.ts";
import type { Unit } from "../../core/values/index.ts";
import { type Variable, isName } from "../../core/variables/index.ts";
import { longestPattern } from "../text/index.ts";
import type {
  Cut,
  InputLocation,
  MatrixValue,
  NamedLocation,
  TableLocation,
  TableValue,
} from "../descriptions/index.ts";
import {
  withColumns,
  type ColumnDraft,
  type MatrixDraft,
  type NamedDraft,
  type RuleDraft,
  type TableDraft,
} from "./drafts.ts";
import type { PathPart } from "./file-names.ts";
import { inNotation, markInNotation, type PlainSamples } from "./notation.ts";
import { unitOfHeading } from "./number-names.ts";
import type { Cell } from "./sample.ts";
import type { Separator } from "./separation.ts";
import { spelled } from "./spellings.ts";

const longestName = 40;

/** Makes unique names of variables from headings. */
class HeadingNames {
  readonly #taken = new Set<string>();

  of(heading: string): string {
    const plain = nameOf(heading);
    let name = plain;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) name = `${plain}_${count}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

function nameOf(heading: string): string {
  const bare = heading
    .normalize("NFC")
    .replaceAll(/[([][^()[\]]*[)\]]/g, (part) => (unitOfHeading(` ${part}`) ? " " : part))
    .replaceAll("%", " percent ")
    .replaceAll("+/-", " ");
  const name = bare.replaceAll(/[^\p{L}\p{N}]+/gu, "_").replaceAll(/^_+|_+$/g, "");
  return named(name.length > longestName ? name.slice(-longestName).replace(/^[^_]*_/, "") : name);
}

function named(name: string): string {
  if (name === "") return "value";
  return isName(name) ? name : `n_${name}`;
}

/** Whether a number is a condition or an outcome of the measurement, judged by its name, unit and values. */
function roleOf(column: ColumnDraft, name: string, unit: Unit | undefined): Variable["role"] {
  const own = name.replace(/^n_(?=\d)/, "");
  if (column.type !== "number")
    return column.type === "duration" && !/limit|request/i.test(name) ? "result" : "parameter";
  const isInteger = column.cells.every(({ text }) => /^[+-]?\d+[kKMGT]?i?$/.test(text));
  if (unit?.factors.some(({ base }) => base === "%")) return "result";
  const isTimed = unit?.factors.some(({ base }) => ["s", "h", "d", "Hz"].includes(base)) ?? false;
  if (isTimed || !isInteger || namesOutcome(own)) return "result";
  return namesCondition(own) ? "parameter" : unit ? "parameter" : "result";
}

/** Which direction is an improvement, where unit or name leave no doubt. */
function betterOf(name: string, heading: string, unit: Unit | undefined): Variable["better"] {
  const named = directionOfName(name) ?? directionOfName(heading);
  if (named === "lower") return "lower";
  const exponents = unit?.factors.filter(({ base }) => ["s", "h", "d"].includes(base)).map(({ exponent }) => exponent);
  const [exponent] = exponents ?? [];
  if (exponent !== undefined && (unit?.factors.length ?? 0) > 1 && exponent < 0) return "higher";
  if (named === "higher") return "higher";
  if (exponent === 1 && unit?.factors.length === 1) return "lower";
  return /(?:latency|time|elapsed)(?:_|$)/i.test(name) ? "lower" : undefined;
}

/** A variable, where its values are, and what the rule should catch. */
export interface ProposedRule {
  readonly variable: Variable;
  readonly location: InputLocation;
  readonly cells: readonly Cell[];
  /** From which the values of its cells follow. */
  readonly column: ColumnDraft;
}

const origin = { line: 1, column: 1 };

/** Turns drafts into variables and locations, with unique names. */
export class RuleBinder {
  readonly rules: ProposedRule[] = [];
  readonly variables: Variable[] = [];
  readonly locations: InputLocation[] = [];
  omitted = 0;
  readonly #names = new HeadingNames();
  readonly #without: ReadonlySet<string>;
  readonly #most: number;

  readonly #plain: PlainSamples;

  constructor(without: ReadonlySet<string>, most: number, plain: PlainSamples) {
    this.#plain = plain;
    this.#without = without;
    this.#most = most;
  }

  addPath({ heading, pattern, isKey, type, values }: PathPart): void {
    const cells = values.flatMap((text, sample) => (text === undefined ? [] : [{ sample, line: 0, text }]));
    const column: ColumnDraft = { heading, type, position: 1, cells };
    const variable = this.#variable(column, "once", "parameter");
    if (!variable) return;
    const mark = isKey ? { patterns: [], keys: [heading] } : { patterns: [pattern] };
    const location = { kind: "filename", name: variable.name, matches: [], ...mark, origin } as const;
    this.#keep({ variable, location, cells, column });
    this.locations.push(location);
  }

  addSeparator({ mark: plainMark, prefix, lines }: Separator): void {
    const mark = markInNotation(plainMark, this.#plain);
    this.locations.push({ kind: "separation", mark, run: false, origin });
    if (prefix === undefined) return;
    const own = prefix.replace(/^[#*%]+\s*/, "");
    const cells = lines.map(({ sample, line, text }) => ({
      sample,
      line,
      text: text.trim().replaceAll(/\s+/g, " ").slice(prefix.length).trim(),
    }));
    const source = mark.kind === "pattern" ? mark.source : "";
    const pattern = prefix === "" ? source : `${source.replace(/\\s$/, "")}\\s+(\\S.*)$`;
    const column: ColumnDraft = { heading: own || "section", type: "text", position: 1, wholeRest: true, cells };
    this.add({ kind: "named", mark: { kind: "pattern", source: pattern }, column }, false, true);
  }

  /** Adds a rule, except for one whose pattern is longer than a description may have. */
  add(rule: RuleDraft, isOnce: boolean, isComplete: boolean): void {
    const draft = withColumns(inNotation(rule, this.#plain), (column) => spelled(column, rule.kind === "table"));
    if (marksOf(draft).some((mark) => mark.kind === "pattern" && mark.source.length > longestPattern)) return;
    if (draft.kind === "named") this.#addNamed(draft, isOnce ? "once" : "multiple", isComplete);
    else if (draft.kind === "table") this.#addTable(draft);
    else this.#addMatrix(draft);
  }

  #addNamed({ mark, column }: NamedDraft, occurrence: Variable["occurrence"], isComplete: boolean): void {
    // Parameters keep their value in sets that have none; results do not.
    const variable = this.#variable(column, occurrence, isComplete || occurrence === "once" ? undefined : "result");
    if (!variable) return;
    const location: NamedLocation = {
      kind: "named",
      name: variable.name,
      aliases: [],
      patterns: mark.kind === "pattern" ? [mark.source] : [],
      ...(mark.kind === "keyword" ? { matches: [{ text: mark.text }] } : {}),
      ...cutOf(column),
      origin,
    };
    this.#keep({ variable, location, ...checkOf(column) });
    this.locations.push(location);
  }

  #addTable({ columns, marks, ...table }: TableDraft): void {
    const values: TableValue[] = [];
    const found: Omit<ProposedRule, "location">[] = [];
    for (const column of columns) {
      const variable = this.#variable(column, "multiple");
      if (!variable) continue;
      found.push({ variable, ...checkOf(column) });
      values.push({
        name: variable.name,
        position: column.characters
          ? { kind: "characters", ...column.characters }
          : { kind: "number", number: column.position },
        repetition: 1,
        typed: column.typed === true,
        ...cutOf(column),
        ...(column.optional ? { optional: true } : {}),
        ...(column.missing ? { missing: column.missing } : {}),
        origin,
      });
    }
    if (!found.some(({ variable }) => variable.type !== "string")) return;
    const location: TableLocation = { ...table, rows: marks, values, origin };
    for (const each of found) this.#keep({ ...each, location });
    this.locations.push(location);
  }

  /** A matrix needs all of its variables. */
  #addMatrix({ mark, start, ...columns }: MatrixDraft): void {
    const cell = this.#variable(columns.cell, "multiple", "result");
    const across = this.#variable(columns.across, "multiple", "parameter");
    const down = this.#variable(columns.down, "multiple", "parameter");
    if (!cell || !across || !down) return;
    const valueOf = ({ name }: Variable, column: ColumnDraft): MatrixValue => ({ name, ...cutOf(column), origin });
    const location: InputLocation = {
      kind: "matrix",
      rows: [mark],
      start,
      cell: valueOf(cell, columns.cell),
      across: valueOf(across, columns.across),
      down: valueOf(down, columns.down),
      origin,
    };
    this.#keep({ variable: cell, location, ...checkOf(columns.cell) });
    this.#keep({ variable: across, location, ...checkOf(columns.across) });
    this.#keep({ variable: down, location, ...checkOf(columns.down) });
    this.locations.push(location);
  }

  #keep(rule: ProposedRule): void {
    this.rules.push(rule);
    this.variables.push(rule.variable);
  }

  /** undefined: the variable is left out. */
  #variable(column: ColumnDraft, occurrence: Variable["occurrence"], given?: Variable["role"]): Variable | undefined {
    const name = this.#names.of(column.heading);
    if (this.#without.has(name)) return undefined;
    if (this.variables.length >= this.#most) {
      this.omitted += 1;
      return undefined;
    }
    const unit = column.type !== "number" ? undefined : (column.unit ?? unitOfHeading(column.heading));
    const role = given ?? roleOf(column, name, unit);
    const better = role === "result" ? betterOf(name, column.heading, unit) : undefined;
    return {
      name,
      role,
      occurrence,
      type: typeOf(column, role),
      ...(unit ? { unit } : {}),
      default: null,
      ...(nameDiffers(column.heading, name) ? { synopsis: column.heading } : {}),
      ...(better ? { better } : {}),
    };
  }
}

function marksOf(draft: RuleDraft): readonly (NamedDraft["mark"] | TableDraft["marks"][number])[] {
  return draft.kind === "table" ? draft.marks : [draft.mark];
}

function nameDiffers(heading: string, name: string): boolean {
  return heading.trim() !== "" && heading.trim() !== name;
}

/** What the rule of a column should catch. */
function checkOf(column: ColumnDraft): Pick<ProposedRule, "cells" | "column"> {
  return { cells: column.cells, column };
}

function cutOf({ type, wholeRest, filters, unitFollows, decimal, thousands, prefixes }: ColumnDraft): Cut {
  return {
    ...(prefixes ? { prefixes } : {}),
    ...(decimal ? { decimal } : {}),
    ...(thousands ? { thousands } : {}),
    ...(type === "text" && wholeRest ? { length: 0 } : {}),
    ...(unitFollows ? { unit: "text" as const } : {}),
    ...(filters ? { filters } : {}),
  };
}

/** Conditions that are integers stay exact; outcomes may be integers by chance. */
function typeOf({ cells, type }: ColumnDraft, role: Variable["role"]): Variable["type"] {
  if (type !== "number") return type === "text" ? "string" : type;
  const isInteger = cells.every(({ text }) => /^[+-]?(?:\d{1,15}|\d{1,9}[kK]i?|\d{1,5}[MG]i?)$/.test(text));
  return isInteger && role === "parameter" ? "integer" : "float";
}
