import {
  inputAttributes,
  outputAttributes,
  type CombinerElement,
  type ElementInput,
  type OperatorElement,
  type OutputElement,
  type ParameterElement,
  type PointInTime,
  type QueryDescription,
  type RunSelection,
  type SourceElement,
  type TimeRange,
} from "../../core/experiments/index.ts";
import { printList, printWord, quote } from "./lexical-syntax.ts";
import { printFilterText } from "./query/query-text-filter.ts";
import { printTerm } from "./query/query-text-term.ts";

/** Prints a query in the text syntax; `parseQuery` reads it back. */
export function printQueryText(query: QueryDescription): string {
  const { id, experiment, synopsis, description } = query;
  const head = Object.entries({ QUERY: id, EXPERIMENT: experiment, SYNOPSIS: synopsis, DESCRIPTION: description });
  const lines = [
    ...head.flatMap(([keyword, text]) => (text === undefined ? [] : [`${keyword} ${printText(text)}`])),
    ...query.fixed.map((fixed) => `FIXED ${printWord(fixed.id)} ${printText(fixed.value)}`),
    ...query.runs.map(printRun),
    ...query.parameters.map(printParameter),
    ...query.series.map(({ id: series, name, ...more }) => line("SERIES", [series, name], more)),
    ...query.sources.map(printSource),
    ...query.operators.flatMap(printOperator),
    ...query.combiners.map(printCombiner),
    ...query.outputs.map(printOutput),
  ];
  return lines.map((each) => `${each}\n`).join("");
}

type Descriptors = Readonly<Record<string, string | boolean | undefined>>;

/** A text that fills the rest of its line. */
function printText(text: string): string {
  return /^[^\s"](?:[^\n\r\t]*\S)?$/u.test(text) ? text : quote(text);
}

function line(keyword: string, bare: readonly string[], said: Descriptors, more: readonly string[] = []): string {
  return [keyword, ...bare.map(printWord), ...words(said), ...more].join(" ");
}

function words(said: Descriptors): string[] {
  return Object.entries(said).flatMap(([key, text]) => (text === undefined ? [] : [`${key}=${value(text)}`]));
}

function value(text: string | boolean): string {
  return typeof text === "boolean" ? (text ? "yes" : "no") : printWord(text);
}

function printRun({ id, index = [], commit = [], firstParent, created, performed, ...said }: RunSelection): string {
  const ranges = [...printRange("created", created), ...printRange("performed", performed)];
  const lists = [
    ...index.map((each) => `index=${printWord(each)}`),
    ...commit.map((each) => `commit=${printWord(each)}`),
  ];
  return line("RUN", [id], { ...said, first_parent: firstParent }, [...lists, ...ranges]);
}

function printRange(key: string, range: TimeRange | undefined): string[] {
  if (range === undefined) return [];
  const ends = (["from", "to"] as const).flatMap((end) =>
    range[end] === undefined ? [] : [`${key}_${end}=${printPoint(range[end])}`],
  );
  return ends.length === 0 ? [`${key}={}`] : ends;
}

function printPoint({ date, time }: PointInTime): string {
  const clock = time === undefined ? [] : [time];
  if (date === undefined) return printList(clock);
  const { year, month, day } = date;
  const plain = /^\d{4}-\d\d-\d\d$/.test(`${year}-${month}-${day}`) && year.length === 4 && month.length === 2;
  if (plain && (time === undefined || /^[\d:.]+$/.test(time))) return [`${year}-${month}-${day}`, ...clock].join("T");
  return printList([day, month, year, ...clock]);
}

function printParameter({ id, value: name, filters, sweep, ...said }: ParameterElement): string {
  const swept = sweep?.filters.map((each) => `sweep=${printWord(printFilterText(each))}`) ?? [];
  return line("PARAMETER", [id, name], said, [
    ...filters.map((each) => `where=${printWord(printFilterText(each))}`),
    ...(sweep && swept.length === 0 ? ["sweep=each"] : swept),
  ]);
}

function printSource({ id, inputs, axislabels, results, filters = [], ...said }: SourceElement): string {
  const conditions = filters.map((each) => `where=${printWord(printFilterText(each))}`);
  const made = results.flatMap(({ name, alias, axislabel }) => words({ result: name, alias, axislabel }));
  if (!axislabels) return line("SOURCE", [id, ...inputs], said, [...conditions, ...made]);
  const labelled = inputs.flatMap((input) => words({ input, axislabel: axislabels.get(input) }));
  return line("SOURCE", [id], said, [...conditions, ...labelled, ...made]);
}

function printOperator({ id, type = "", inputs, terms, sweepCombine, ...said }: OperatorElement): string[] {
  const bare = bareInputs(inputs);
  const own = { ...said, sweep_combine: sweepCombine };
  return [
    line("OPERATOR", [id, type, ...bare], own, namedInputs(inputs)),
    ...terms.map(({ term, ...more }) => `${line("TERM", [], more)} = ${printTerm(term)}`),
  ];
}

function printCombiner({ id, inputs, omit, sweepGroup, sweepCombine, ...said }: CombinerElement): string {
  const own = { ...said, sweep_group: sweepGroup, sweep_combine: sweepCombine };
  const left = omit.flatMap(({ name, input }) => words({ omit: name, of: input }));
  return line("COMBINER", [id, ...bareInputs(inputs)], own, [...left, ...namedInputs(inputs)]);
}

function printOutput({ id, attributes, inputs, filename, options, tics }: OutputElement): string {
  const said = Object.fromEntries(outputAttributes.map((name) => [name, attributes.get(name)]));
  return line("OUTPUT", bareInputs(inputs), { id, ...said, file: filename?.name, unify: filename?.unify }, [
    ...options.map((option) => `option=${printWord(option)}`),
    ...tics.flatMap(({ value: tic, axis }) => words({ tics: tic, axis })),
    ...namedInputs(inputs),
  ]);
}

const plain = (inputs: readonly ElementInput[]): boolean => inputs.every(({ attributes }) => attributes.size === 0);

function bareInputs(inputs: readonly ElementInput[]): string[] {
  return plain(inputs) ? inputs.map(({ id }) => id) : [];
}

/** Each input followed by its attributes. */
function namedInputs(inputs: readonly ElementInput[]): string[] {
  if (plain(inputs)) return [];
  return inputs.flatMap(({ id, attributes }) =>
    words({ input: id, ...Object.fromEntries(inputAttributes.map((name) => [name, attributes.get(name)])) }),
  );
}
