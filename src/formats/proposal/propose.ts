import { groupBy } from "../../core/values/index.ts";
import type { Experiment } from "../../core/experiments/index.ts";
import { mostVariables } from "../../core/variables/index.ts";
import type { InputDescription, InputLocation } from "../descriptions/index.ts";
import type { ColumnDraft, NamedDraft, RuleDraft } from "./drafts.ts";
import { pathParts } from "./file-names.ts";
import { lineGroups, type LineGroup } from "./line-groups.ts";
import { lineRules, segmentPattern } from "./line-rules.ts";
import { maskedLine, wordsOf } from "./numbers.ts";
import { matricesIn, matrixRules } from "./matrices.ts";
import { plainNotation } from "./notation.ts";
import { RuleBinder, type ProposedRule } from "./rule-binder.ts";
import { lineKey, linesOf, type SampleLine, type SampleText } from "./sample.ts";
import { ruledBlocksIn, ruledTables } from "./ruled-tables.ts";
import { separatedBlocksIn, separatedTables } from "./separated-tables.ts";
import { isWithinSets, lastRepeated, mostOf, separatorOf, type Occurring, type Separator } from "./separation.ts";
import { blocksIn, tablesOf } from "./tables.ts";

/** Lines `name: text` of one name. */
interface TextGroup {
  readonly name: string;
  readonly lines: readonly SampleLine[];
  readonly rule: NamedDraft;
}

/** A name may have signs in brackets: `Elapsed (wall clock) time (h:mm:ss or m:ss): 0:01.50`. */
const named = /^(\s*[#*%!-]*\s*)(\p{L}(?:\([^()|"]{0,40}\)|[^=:|"(]){0,40}?)(\s*[=:]\s+|\s+=\s*)(\S.*)$/u;
const longestValue = 60;
const mostNameWords = 4;

/** Groups lines such as `Class = S` by their names. */
function textGroups(lines: readonly SampleLine[]): TextGroup[] {
  const found = lines.flatMap((line) => {
    const [, sign = "", name = "", , value = ""] = (line.numbers.length > 0 ? null : named.exec(line.text)) ?? [];
    const isShort =
      value.trim().length <= longestValue && wordsOf(name.replaceAll(/\([^()]*\)/g, "")).length <= mostNameWords;
    const isText = /[\p{L}\p{N}]/u.test(value) && !/[=:]\s/.test(value) && !value.trim().endsWith(":");
    return value !== "" && isShort && isText && isPlain(name) ? [{ line, sign, name, value: value.trim() }] : [];
  });
  return [...groupBy(found, ({ sign, name }) => `${sign.trim()} ${name}`).values()].map((same) => {
    const [{ sign, name }] = same as [(typeof found)[number]];
    const prefix = segmentPattern(`${sign.trimStart()}${name}`);
    const cells = same.map(({ line, value }) => ({ sample: line.sample, line: line.line, text: value }));
    return {
      name,
      lines: same.map(({ line }) => line),
      rule: {
        kind: "named",
        mark: { kind: "pattern", source: `^\\s*${prefix}\\s*[=:]\\s*(\\S.*)$` },
        column: { heading: name, type: "text", position: 1, wholeRest: true, cells },
      },
    };
  });
}

/** Messages of programs (`WARNING: …`) and names with dates or paths are no names of values. */
function isPlain(name: string): boolean {
  return !/^(?:warning|error|note|info|debug|usage)$/i.test(name.trim()) && !maskedLine(name).includes("\uE000");
}

/** A proposed experiment and its input description, with what each rule should catch in the samples. */
export interface Proposal {
  readonly experiment: Experiment;
  readonly description: InputDescription;
  readonly rules: readonly ProposedRule[];
  /** Variables beyond the maximum of an experiment, left out. */
  readonly omitted: number;
}

export interface ProposalOptions {
  /** Name of the experiment. */
  readonly name: string;
  /** File name of the description, for messages. */
  readonly file: string;
  /** Variables to leave out: the importer did not read what their rules were proposed for. */
  readonly without?: ReadonlySet<string>;
}

/** What the samples consist of. */
interface Structure {
  readonly lines: readonly SampleLine[];
  readonly tables: readonly RuleDraft[];
  readonly groups: readonly LineGroup[];
  readonly texts: readonly TextGroup[];
  readonly separator: Separator | undefined;
  /** The last line of each sample that is repeated. */
  readonly last: ReadonlyMap<number, number>;
}

/**
 * Proposes an experiment and an input description for samples of one kind of output, by rules: the same samples give
 * the same proposal.
 */
export function proposeDescription(given: readonly SampleText[], options: ProposalOptions): Proposal {
  const plain = plainNotation(given);
  const { samples } = plain;
  const structure = structureOf(samples);
  const binder = new RuleBinder(options.without ?? new Set(), mostVariables - 1, plain);
  for (const part of pathParts(samples)) binder.addPath(part);
  const { separator } = structure;
  if (separator) binder.addSeparator(separator);
  for (const { rule, isOnce, isComplete } of rulesOf(structure)) binder.add(rule, isOnce, isComplete);
  const { rules, variables, locations, omitted } = binder;
  return {
    experiment: { name: options.name, readers: [], writers: [], variables },
    description: { file: options.file, experiment: options.name, rules: "sets", locations: ordered(locations) },
    rules,
    omitted,
  };
}

/** Separators first, as people write them. */
function ordered(locations: readonly InputLocation[]): InputLocation[] {
  const rank = ({ kind }: InputLocation): number =>
    ["filename", "separation", "named", "table", "matrix"].indexOf(kind);
  return locations.toSorted((a, b) => rank(a) - rank(b));
}

function structureOf(samples: readonly SampleText[]): Structure {
  const lines = linesOf(samples);
  const matrices = matricesIn(lines);
  const taken = new Set<number>();
  for (const { heading, end } of matrices) for (let at = heading; at < end; at++) taken.add(at);
  const separated = separatedBlocksIn(lines, taken);
  for (const { heading, end } of separated) for (let at = heading; at < end; at++) taken.add(at);
  const ruled = ruledBlocksIn(lines, taken);
  for (const { heading, end } of ruled) for (let at = heading; at < end; at++) taken.add(at);
  const blocks = blocksIn(lines, taken);
  for (const { heading } of blocks) taken.add(heading);
  const tables = [
    ...separatedTables(lines, separated),
    ...ruledTables(lines, ruled),
    ...tablesOf(lines, blocks),
    ...matrixRules(lines, matrices),
  ];
  const rows = new Set(tables.flatMap(columnsOf).flatMap(({ cells }) => cells.map(lineKey)));
  const rest = lines.filter((line, at) => !taken.has(at) && !rows.has(lineKey(line)));
  const [groups, texts] = [lineGroups(rest), textGroups(rest)];
  const headings = [...separated, ...ruled, ...blocks].map(({ heading }) => lines[heading]!);
  const singles = groups.filter((group) => !isTable(group));
  const occurring = [
    ...headingsOccurring(headings),
    ...singles.map((each) => ({ lines: each.lines, weight: each.segments.length })),
    ...texts.map((each) => ({ lines: each.lines, weight: 1 })),
  ];
  const separator = separatorOf(lines, occurring, (line) => rows.has(lineKey(line)));
  return { lines, tables, groups, texts, separator, last: lastRepeated(occurring) };
}

/** True for lines that are rows, however often they occur. */
function isTable({ isLabelled, isTrailed }: LineGroup): boolean {
  return isLabelled || isTrailed === true;
}

function columnsOf(rule: RuleDraft): readonly ColumnDraft[] {
  if (rule.kind === "table") return rule.columns;
  return rule.kind === "named" ? [rule.column] : [rule.cell, rule.across, rule.down];
}

/** Tables with equal headings are one table that occurs several times. */
function headingsOccurring(headings: readonly SampleLine[]): Occurring[] {
  const same = groupBy(headings, ({ text }) => text.replaceAll(/\s+/g, " ").trim());
  return [...same.values()].map((each) => ({ lines: each, weight: 2 }));
}

interface PlannedRule {
  readonly rule: RuleDraft;
  /** One value per run. */
  readonly isOnce: boolean;
  /** Every set of values has one, and rows: without rows, a set is stored only if it has a result. */
  readonly isComplete: boolean;
}

function* rulesOf({ lines, tables, groups, texts, separator, last }: Structure): Generator<PlannedRule> {
  for (const rule of tables) yield { rule, isOnce: false, isComplete: true };
  const sets = separator?.lines ?? [];
  const rows = new Set(tables.flatMap(columnsOf).flatMap(({ cells }) => cells.map(setOf)));
  for (const group of groups)
    if (isTable(group) || mostOf(group.lines, sets) > 1) for (const line of group.lines) rows.add(setOf(line));
  function setOf({ sample, line }: Pick<SampleLine, "sample" | "line">): number {
    const next = sets.findIndex((each) => each.sample > sample || (each.sample === sample && each.line > line));
    return next < 0 ? sets.length : next;
  }
  const plan = (own: readonly SampleLine[]) => ({
    // A value of one set only, such as a rate in another unit, is not one of the others.
    isOnce: mostOf(own, []) === 1 && !isWithinSets(own, sets, last),
    isSingle: mostOf(own, sets) === 1,
    isComplete: own.length >= sets.length && own.every((line) => rows.has(setOf(line))),
  });
  for (const group of groups) {
    const { isOnce, isSingle, isComplete } = plan(group.lines);
    for (const rule of lineRules(group, lines, isSingle)) yield { rule, isOnce, isComplete };
  }
  for (const { lines: own, rule } of texts) {
    const { isOnce, isSingle, isComplete } = plan(own);
    if (isSingle) yield { rule, isOnce, isComplete };
  }
}
