import type {
  CombinerElement,
  ElementInput,
  OperatorElement,
  OutputElement,
  ParameterElement,
  QueryDescription,
  RunSelection,
  SeriesElement,
  SourceElement,
  TimeRange,
} from "../../../core/experiments/index.ts";
import { attributeText, spaceAttribute, printFilter } from "./query-xml-filter.ts";
import { printQueryTerm } from "./query-xml-term.ts";
import { escapeXml } from "../../text/index.ts";

/** Prints a query as XML; `readQueryXml` reads it back. */
export function printQueryXml(query: QueryDescription): string {
  const { id, experiment, synopsis, description } = query;
  const head = { experiment, synopsis, description };
  return [
    '<?xml version="1.0"?>',
    `<query${attributes({ id })}>`,
    ...Object.entries(head).flatMap(([name, value]) => leaf("  ", name, value)),
    ...query.fixed.flatMap((fixed) => element("fixed", { id: fixed.id }, leaf("    ", "content", fixed.value))),
    ...query.runs.flatMap(printRun),
    ...query.parameters.flatMap(printParameter),
    ...query.series.flatMap(printSeries),
    ...query.sources.flatMap(printSource),
    ...query.operators.flatMap(printOperator),
    ...query.combiners.flatMap(printCombiner),
    ...query.outputs.flatMap(printOutput),
    "</query>",
    "",
  ].join("\n");
}

type Attributes = Readonly<Record<string, string | undefined>>;

function attributes(values: Attributes): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${attributeText(value)}"`))
    .join("");
}

function leaf(indent: string, name: string, value: string | undefined, more: Attributes = {}): string[] {
  if (value === undefined) return [];
  return [`${indent}<${name}${attributes(more)}${spaceAttribute(value)}>${escapeXml(value)}</${name}>`];
}

function element(name: string, own: Attributes, lines: readonly string[]): string[] {
  return [`  <${name}${attributes(own)}>`, ...lines, `  </${name}>`];
}

const yesNo = (flag: boolean | undefined): string | undefined => (flag === undefined ? undefined : flag ? "yes" : "no");

function printParameter(parameter: ParameterElement): string[] {
  const { id, value, alias, show, style, unit, boolean, filters, sweep } = parameter;
  const swept =
    sweep === undefined
      ? []
      : ["    <sweep>", ...sweep.filters.flatMap((each) => printFilter(each, "      ")), "    </sweep>"];
  return element("parameter", { id, show, style, unit: yesNo(unit), boolean }, [
    ...leaf("    ", "value", value, { alias }),
    ...filters.flatMap((filter) => printFilter(filter, "    ")),
    ...swept,
  ]);
}

function printRun(run: RunSelection): string[] {
  return element("run", { id: run.id, mask: run.mask, boolean: run.boolean, first_parent: yesNo(run.firstParent) }, [
    ...(run.index ?? []).flatMap((each) => leaf("    ", "index", each)),
    ...printRange("created", run.created),
    ...printRange("performed", run.performed),
    ...leaf("    ", "label", run.label),
    ...(run.commit ?? []).flatMap((each) => leaf("    ", "commit", each)),
    ...leaf("    ", "branch", run.branch),
    ...leaf("    ", "since", run.since),
    ...leaf("    ", "until", run.until),
    ...leaf("    ", "synopsis", run.synopsis),
    ...leaf("    ", "description", run.description),
  ]);
}

function printRange(name: string, range: TimeRange | undefined): string[] {
  if (range === undefined) return [];
  const ends = (["from", "to"] as const).flatMap((end) => {
    const point = range[end];
    if (point === undefined) return [];
    const { date, time } = point;
    const parts =
      date === undefined
        ? []
        : [["day", date.day] as const, ["month", date.month] as const, ["year", date.year] as const];
    const day = parts.flatMap(([part, value]) => leaf("", part, value)).join("");
    return [
      `      <${end}>`,
      ...(date === undefined ? [] : [`        <date>${day}</date>`]),
      ...leaf("        ", "time", time),
      `      </${end}>`,
    ];
  });
  return [`    <${name}>`, ...ends, `    </${name}>`];
}

function printSeries({ id, inc, name, base, increment }: SeriesElement): string[] {
  return element(
    "series",
    { id, inc },
    Object.entries({ name, base, increment }).flatMap(([part, value]) => leaf("    ", part, value)),
  );
}

function printSource({ results, inputs, axislabels, filters = [], ...own }: SourceElement): string[] {
  const { id, boolean, order, key, chronology, missing, rows } = own;
  return element("source", { id, boolean, order, key, chronology, missing, rows }, [
    ...results.flatMap(({ name, ...more }) => leaf("    ", "result", name, more)),
    ...inputs.flatMap((input) => leaf("    ", "input", input, { axislabel: axislabels?.get(input) })),
    ...filters.flatMap((filter) => printFilter(filter, "    ")),
  ]);
}

function printInput(input: ElementInput): string[] {
  return leaf("    ", "input", input.id, Object.fromEntries(input.attributes));
}

function printOperator(operator: OperatorElement): string[] {
  const { id, type, value, option, variant, scope, match, sweep, sweepCombine, inputs, terms } = operator;
  const own = { id, type, value, option, variant, scope, match, sweep, sweep_combine: sweepCombine };
  return element("operator", own, [
    ...inputs.flatMap(printInput),
    ...terms.map(({ term, ...more }) => `    <term${attributes(more)}>${printQueryTerm(term)}</term>`),
  ]);
}

function printCombiner(combiner: CombinerElement): string[] {
  const { id, datasets, parameters, mkparam, sweepGroup, sweepCombine, inputs, omit } = combiner;
  const own = {
    id,
    datasets,
    parameters,
    mkparam: yesNo(mkparam),
    sweep_group: sweepGroup,
    sweep_combine: sweepCombine,
  };
  return element("combiner", own, [
    ...inputs.flatMap(printInput),
    ...omit.flatMap(({ name, input }) => leaf("    ", "omit", name, { input })),
  ]);
}

function printOutput({ id, attributes: own, inputs, filename, options, tics }: OutputElement): string[] {
  return element("output", { id, ...Object.fromEntries(own) }, [
    ...inputs.flatMap(printInput),
    ...(filename === undefined ? [] : leaf("    ", "filename", filename.name, { unify: filename.unify })),
    ...options.flatMap((option) => leaf("    ", "option", option)),
    ...tics.flatMap(({ axis, value }) => leaf("    ", "tics", value, { axis })),
  ]);
}
