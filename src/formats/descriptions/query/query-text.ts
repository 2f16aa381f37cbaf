import type {
  OperatorElement,
  QueryDescription,
  TermElement,
  PointInTime,
  RunSelection,
  TimeRange,
} from "../../../core/experiments/index.ts";
import { isXml } from "../../text/index.ts";
import { descriptionError, descriptionLines, readWords, type DescriptionLine, type Word } from "../lexical-syntax.ts";
import { LineWords, restOfLine } from "../line-words.ts";
import { keywordOf } from "../keyword.ts";
import {
  queryGrammars,
  readCombinerLine,
  readOperatorLine,
  readOutputLine,
  readParameterLine,
  readSeriesLine,
  readSourceLine,
} from "./query-text-element.ts";
import { parseTerm } from "./query-text-term.ts";
import { requiredText, idAndNames, textDescriptor } from "./query-text-words.ts";
import { optionalProperty } from "./query-xml-element.ts";
import { readQueryXml } from "./query-xml.ts";

/* The text syntax of a query: one element per line; empty lines and `#` lines are comments (docs/queries.md). */

const heads = { QUERY: "id", EXPERIMENT: "experiment", SYNOPSIS: "synopsis", DESCRIPTION: "description" } as const;
const keywords = [...Object.keys(heads), "FIXED", ...Object.keys(queryGrammars), "TERM"];

interface Draft extends QueryDescription {
  readonly fixed: QueryDescription["fixed"][number][];
  readonly runs: QueryDescription["runs"][number][];
  readonly parameters: QueryDescription["parameters"][number][];
  readonly series: QueryDescription["series"][number][];
  readonly sources: QueryDescription["sources"][number][];
  readonly operators: OperatorElement[];
  readonly combiners: QueryDescription["combiners"][number][];
  readonly outputs: QueryDescription["outputs"][number][];
}

/** Reads a query in either syntax. Fails with `description-error` at file:line:column. */
export function readQuery(text: string, file: string): QueryDescription {
  return isXml(text) ? readQueryXml(text, file) : parseQuery(text, file);
}

/** Reads the text syntax. */
export function parseQuery(text: string, file: string): QueryDescription {
  const reader = new QueryReader();
  for (const line of descriptionLines(text, file)) if (!/^\s*(?:#|$)/.test(line.text)) reader.read(line);
  return reader.complete();
}

interface Named {
  readonly line: DescriptionLine;
  readonly column: number;
  readonly kind: string;
}

class QueryReader {
  readonly #head: Partial<Record<(typeof heads)[keyof typeof heads], string>> = {};
  readonly #draft: Draft = {
    fixed: [],
    runs: [],
    parameters: [],
    series: [],
    sources: [],
    operators: [],
    combiners: [],
    outputs: [],
  };
  readonly #ids = new Map<string, Named>();
  /** Inputs are resolved at the end: an element may refer to a later one. */
  readonly #uses: (Named & { readonly id: string })[] = [];

  read(line: DescriptionLine): void {
    const { keyword, column } = keywordOf(line, keywords);
    const from = column - 1 + keyword.length;
    if (Object.hasOwn(heads, keyword)) this.#readHead(line, keyword as keyof typeof heads, column, from);
    else if (keyword === "FIXED") this.#readFixed(line, column, from);
    else if (keyword === "TERM") this.#readTerm(line, column, from);
    else this.#readElement(line, keyword as keyof typeof queryGrammars, column, from);
  }

  complete(): QueryDescription {
    for (const use of this.#uses) this.#checkUse(use);
    return { ...this.#head, ...this.#draft };
  }

  #readHead(line: DescriptionLine, keyword: keyof typeof heads, column: number, from: number): void {
    const text = restOfLine(line, from);
    if (!text?.trim()) throw descriptionError(line, column, `${keyword} needs a text`);
    if (Object.hasOwn(this.#head, heads[keyword])) throw descriptionError(line, column, `${keyword} is given twice`);
    this.#head[heads[keyword]] = text;
  }

  /** `FIXED id value`: the value is the rest of the line, quoted or not. */
  #readFixed(line: DescriptionLine, column: number, from: number): void {
    const match = /^\s+(?:"(?:[^"\\]|\\.)*"|[^\s"]+)/.exec(line.text.slice(from));
    const value = match ? restOfLine(line, from + match[0].length) : undefined;
    const [word] = match ? readWords({ ...line, text: line.text.slice(0, from + match[0].length) }, from) : [];
    if (!word || value === undefined)
      throw descriptionError(line, column, "FIXED needs an id and a value, as in FIXED version 1.24");
    const id = word.key === undefined ? word.text : (match?.[0].trim() ?? "");
    this.#define(line, "FIXED", column, id);
    this.#draft.fixed.push({ id, value });
  }

  /** `TERM [id=…] [unit=…] = expression`, after its operator. */
  #readTerm(line: DescriptionLine, column: number, from: number): void {
    const operator = this.#draft.operators.at(-1);
    const head = /^(?:\s+(?:id|unit)=(?:"(?:[^"\\]|\\.)*"|[^\s"]+))*\s+=/i.exec(line.text.slice(from))?.[0];
    if (!operator || head === undefined)
      throw descriptionError(line, column, operator ? "TERM needs '= expression'" : "TERM needs an OPERATOR before it");
    const words = readWords({ ...line, text: line.text.slice(0, from + head.length - 1) }, from);
    const text = (key: string): string | undefined => words.find((word) => word.key === key)?.text;
    const [id, unit] = [text("id"), text("unit")];
    const term: TermElement = {
      ...(id === undefined ? {} : { id }),
      ...(unit === undefined ? {} : { unit }),
      term: parseTerm(line, from + head.length),
    };
    this.#draft.operators.splice(-1, 1, { ...operator, terms: [...operator.terms, term] });
  }

  #readElement(line: DescriptionLine, keyword: keyof typeof queryGrammars, column: number, from: number): void {
    const { allowed, repeatable } = queryGrammars[keyword];
    const words = new LineWords(line, keyword, column, readWords(line, from), allowed, repeatable);
    const inputs = this.#add(keyword, words);
    const named = words.all("input");
    const inputWords: readonly Word[] = named.length > 0 ? named : words.bareWords(Infinity);
    for (const id of inputs) {
      const position = inputWords.findLast((word) => word.text === id);
      this.#uses.push({ id, line, column: position?.column ?? column, kind: keyword });
    }
  }

  /** Adds the element and returns the ids of its inputs. */
  #add(keyword: keyof typeof queryGrammars, words: LineWords): readonly string[] {
    const defined = <T extends { readonly id: string }>(element: T): T => {
      this.#define(words.line, keyword, words.bareWords(Infinity)[0]?.column ?? words.column, element.id);
      return element;
    };
    const draft = this.#draft;
    switch (keyword) {
      case "PARAMETER":
        draft.parameters.push(defined(readParameterLine(words)));
        return [];
      case "RUN":
        draft.runs.push(defined(readRunLine(words)));
        return [];
      case "SERIES":
        draft.series.push(defined(readSeriesLine(words)));
        return [];
      case "SOURCE":
        return draft.sources[draft.sources.push(defined(readSourceLine(words))) - 1]?.inputs ?? [];
      case "OPERATOR":
        return idsOf(draft.operators[draft.operators.push(defined(readOperatorLine(words))) - 1]);
      case "COMBINER":
        return idsOf(draft.combiners[draft.combiners.push(defined(readCombinerLine(words))) - 1]);
      default: {
        const output = readOutputLine(words);
        if (output.id !== undefined)
          this.#define(words.line, keyword, words.one("id")?.column ?? words.column, output.id);
        draft.outputs.push(output);
        return idsOf(output);
      }
    }
  }

  #define(line: DescriptionLine, kind: string, column: number, id: string): void {
    if (this.#ids.has(id)) throw descriptionError(line, column, `the id '${id.slice(0, 64)}' is given twice`);
    this.#ids.set(id, { line, column, kind });
  }

  #checkUse({ id, line, column, kind }: Named & { readonly id: string }): void {
    const allowed = kind === "SOURCE" ? ["PARAMETER", "RUN", "SERIES"] : ["SOURCE", "OPERATOR", "COMBINER"];
    const found = this.#ids.get(id);
    if (found && allowed.includes(found.kind)) return;
    const candidates = [...this.#ids].flatMap(([each, named]) => (allowed.includes(named.kind) ? [each] : []));
    const problem = found
      ? `'${id.slice(0, 64)}' is a ${found.kind} and cannot be an input of ${kind}`
      : `there is no element '${id.slice(0, 64)}'`;
    const advice = `valid ids are ${candidates.join(", ") || "none"}`;
    throw descriptionError(line, column, problem, { word: id, candidates, advice });
  }
}

function idsOf(element: { readonly inputs: readonly { readonly id: string }[] } | undefined): string[] {
  return element?.inputs.map(({ id }) => id) ?? [];
}

function readRunLine(words: LineWords): RunSelection {
  const [id = ""] = idAndNames(words, []);
  const index = words.all("index").map((word) => requiredText(words, word));
  const commit = words.all("commit").map((word) => requiredText(words, word));
  return {
    id,
    ...optionalProperty("mask", words.choice("mask", ["include", "exclude"] as const)),
    ...optionalProperty("boolean", words.choice("boolean", ["and", "or"] as const)),
    ...optionalProperty("index", index.length === 0 ? undefined : index),
    ...optionalProperty("created", readRange(words, "created")),
    ...optionalProperty("performed", readRange(words, "performed")),
    ...textDescriptor(words, "label", "label"),
    ...optionalProperty("commit", commit.length === 0 ? undefined : commit),
    ...textDescriptor(words, "branch", "branch"),
    ...optionalProperty("firstParent", words.flag("first_parent")),
    ...textDescriptor(words, "since", "since"),
    ...textDescriptor(words, "until", "until"),
    ...textDescriptor(words, "synopsis", "synopsis"),
    ...textDescriptor(words, "description", "description"),
  };
}

/** `created_from=`, `created_to=`; `created={}` is an unbounded range. */
function readRange(words: LineWords, key: string): TimeRange | undefined {
  const [open, from, to] = [words.one(key), words.one(`${key}_from`), words.one(`${key}_to`)];
  if (open && (open.list?.length !== 0 || from || to)) throw words.error(open, `write ${key}_from= and ${key}_to=`);
  if (!open && !from && !to) return undefined;
  return {
    ...optionalProperty("from", from && readPoint(words, from)),
    ...optionalProperty("to", to && readPoint(words, to)),
  };
}

/** `2026-01-31`, `2026-01-31T12:30`, `12:30`, or in parts `{31,Jan,2026,12:30}`. */
function readPoint(words: LineWords, word: Word): PointInTime {
  if (word.list) return pointOf(words, word, word.list);
  const [, year = "", month = "", day = "", clock] = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](.+))?$/.exec(word.text) ?? [];
  if (year !== "") return { date: { day, month, year }, ...optionalProperty("time", clock) };
  if (/^\d\d?:/.test(word.text)) return { time: word.text };
  throw words.error(word, `'${word.text.slice(0, 40)}' is not a time`, {
    advice: "write 2026-01-31, 2026-01-31T12:30 or {31,Jan,2026,12:30}",
  });
}

function pointOf(words: LineWords, word: Word, parts: readonly string[]): PointInTime {
  const [day, month, year, clock] = parts;
  if (parts.length < 2) return optionalProperty("time", day);
  if (day === undefined || month === undefined || year === undefined || parts.length > 4)
    throw words.error(word, "a time has the parts {day,month,year,clock}, {day,month,year} or {clock}");
  return { date: { day, month, year }, ...optionalProperty("time", clock) };
}
