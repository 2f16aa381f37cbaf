import {
  inputAttributes,
  labelStyles,
  outputAttributes,
  shows,
  type CombinerElement,
  type ElementInput,
  type OperatorElement,
  type OutputElement,
  type ParameterElement,
  type PointInTime,
  type RunSelection,
  type SeriesElement,
  type TimeRange,
} from "../../../core/experiments/query-description.ts";
import { flag, trimmedText } from "../input/input-xml-element.ts";
import { checkShape, childOf, childrenOf, choiceOf, insideOf, requiredChild } from "../../text/xml-children.ts";
import { booleanOf, readFilter } from "./query-xml-filter.ts";
import { readQueryTerm } from "./query-xml-term.ts";
import { xmlError, type XmlElement } from "../../text/xml.ts";

/** `{ key: value }`, or nothing when there is no value: for spreading. */
export function given<K extends string, const T>(key: K, value: T | undefined): { [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: T };
}

export function idOf(element: XmlElement): string {
  const id = element.attributes.get("id")?.trim() ?? "";
  if (id === "") throw xmlError(element, `<${element.name}> needs an id`);
  return id;
}

/** The text of a child, undefined without such a child. */
export function childContent(element: XmlElement, name: string): string | undefined {
  const child = childOf(element, name);
  if (child) checkShape(child, {});
  return child && trimmedText(child);
}

/** A text that must be there. */
export function filledText(element: XmlElement): string {
  const text = trimmedText(element);
  if (text === "") throw xmlError(insideOf(element), `<${element.name}> is empty`);
  return text;
}

export function readParameter(element: XmlElement): ParameterElement {
  checkShape(element, {
    attributes: ["id", "show", "unit", "style", "boolean"],
    children: ["value", "filter", "sweep"],
  });
  const value = requiredChild(element, "value");
  checkShape(value, { attributes: ["alias"] });
  const sweep = childOf(element, "sweep");
  if (sweep) checkShape(sweep, { children: ["filter"] });
  return {
    id: idOf(element),
    value: filledText(value),
    ...given("alias", value.attributes.get("alias")),
    ...given("show", choiceOf(element, "show", shows)),
    ...given("style", choiceOf(element, "style", labelStyles)),
    ...given("unit", flag(element, "unit")),
    ...booleanOf(element),
    filters: childrenOf(element, "filter").map(readFilter),
    ...given("sweep", sweep && { filters: childrenOf(sweep, "filter").map(readFilter) }),
  };
}

export function readRun(element: XmlElement): RunSelection {
  const children = [
    "index",
    "created",
    "performed",
    "label",
    "commit",
    "branch",
    "since",
    "until",
    "synopsis",
    "description",
  ];
  checkShape(element, { attributes: ["id", "mask", "boolean", "first_parent"], children });
  const [index, commit] = [childrenOf(element, "index").map(filledText), childrenOf(element, "commit").map(filledText)];
  const [created, performed] = [childOf(element, "created"), childOf(element, "performed")];
  return {
    id: idOf(element),
    ...given("mask", choiceOf(element, "mask", ["include", "exclude"] as const)),
    ...booleanOf(element),
    ...given("index", index.length === 0 ? undefined : index),
    ...given("created", created && readRange(created)),
    ...given("performed", performed && readRange(performed)),
    ...given("label", childContent(element, "label")),
    ...given("commit", commit.length === 0 ? undefined : commit),
    ...given("branch", childContent(element, "branch")),
    ...given("firstParent", flag(element, "first_parent")),
    ...given("since", childContent(element, "since")),
    ...given("until", childContent(element, "until")),
    ...given("synopsis", childContent(element, "synopsis")),
    ...given("description", childContent(element, "description")),
  };
}

function readRange(element: XmlElement): TimeRange {
  checkShape(element, { children: ["from", "to"] });
  const [from, to] = [childOf(element, "from"), childOf(element, "to")];
  return { ...given("from", from && readPoint(from)), ...given("to", to && readPoint(to)) };
}

function readPoint(element: XmlElement): PointInTime {
  checkShape(element, { children: ["date", "time"] });
  const date = childOf(element, "date");
  if (date) checkShape(date, { children: ["day", "month", "year"] });
  const part = (name: string): string => (date ? filledText(requiredChild(date, name)) : "");
  return {
    ...given("date", date && { day: part("day"), month: part("month"), year: part("year") }),
    ...given("time", childContent(element, "time")),
  };
}

export function readSeries(element: XmlElement): SeriesElement {
  checkShape(element, { attributes: ["id", "inc"], children: ["name", "base", "increment"] });
  return {
    id: idOf(element),
    name: filledText(requiredChild(element, "name")),
    ...given("inc", choiceOf(element, "inc", ["linear", "exponential"] as const)),
    ...given("base", childContent(element, "base")),
    ...given("increment", childContent(element, "increment")),
  };
}

function readInput(element: XmlElement): ElementInput {
  checkShape(element, { attributes: inputAttributes });
  return { id: filledText(element), attributes: attributesOf(element, inputAttributes) };
}

function attributesOf<T extends string>(element: XmlElement, names: readonly T[]): ReadonlyMap<T, string> {
  return new Map(
    names.flatMap((name) => {
      const content = element.attributes.get(name);
      return content === undefined ? [] : [[name, content] as const];
    }),
  );
}

const operatorAttributes = ["id", "type", "value", "option", "variant", "scope", "match", "sweep", "sweep_combine"];

export function readOperator(element: XmlElement): OperatorElement {
  checkShape(element, { attributes: operatorAttributes, children: ["input", "term"] });
  const attribute = <K extends string>(name: K): { [P in K]?: string } => given(name, element.attributes.get(name));
  const inputs = childrenOf(element, "input").map(readInput);
  if (inputs.length === 0) throw xmlError(element, "<operator> needs an <input>");
  return {
    id: idOf(element),
    ...attribute("type"),
    ...attribute("value"),
    ...attribute("option"),
    ...attribute("variant"),
    ...given("scope", choiceOf(element, "scope", ["run", "global"] as const)),
    ...given("match", choiceOf(element, "match", ["parameter", "index", "modulo"] as const)),
    ...attribute("sweep"),
    ...given("sweepCombine", choiceOf(element, "sweep_combine", ["match", "alltoall"] as const)),
    inputs,
    terms: childrenOf(element, "term").map(readQueryTerm),
  };
}

export function readCombiner(element: XmlElement): CombinerElement {
  const attributes = ["id", "datasets", "parameters", "mkparam", "sweep_group", "sweep_combine"];
  checkShape(element, { attributes, children: ["input", "omit"] });
  const inputs = childrenOf(element, "input").map(readInput);
  if (inputs.length === 0) throw xmlError(element, "<combiner> needs an <input>");
  return {
    id: idOf(element),
    ...given("datasets", choiceOf(element, "datasets", ["merge", "append"] as const)),
    ...given("parameters", choiceOf(element, "parameters", ["all", "unique", "none"] as const)),
    ...given("mkparam", flag(element, "mkparam")),
    ...given("sweepGroup", element.attributes.get("sweep_group")),
    ...given("sweepCombine", choiceOf(element, "sweep_combine", ["match", "alltoall"] as const)),
    inputs,
    omit: childrenOf(element, "omit").map((omit) => {
      checkShape(omit, { attributes: ["input"] });
      return { ...given("input", omit.attributes.get("input")), name: filledText(omit) };
    }),
  };
}

export function readOutput(element: XmlElement): OutputElement {
  checkShape(element, { attributes: ["id", ...outputAttributes], children: ["input", "filename", "option", "tics"] });
  const inputs = childrenOf(element, "input").map(readInput);
  if (inputs.length === 0) throw xmlError(element, "<output> needs an <input>");
  const filename = childOf(element, "filename");
  if (filename) checkShape(filename, { attributes: ["unify"] });
  const file = filename && {
    name: filledText(filename),
    ...given("unify", choiceOf(filename, "unify", ["no", "filter", "sweep", "fixed"] as const)),
  };
  return {
    ...given("id", element.attributes.get("id")),
    attributes: attributesOf(element, outputAttributes),
    inputs,
    ...given("filename", file),
    options: childrenOf(element, "option").map(filledText),
    tics: childrenOf(element, "tics").map((tics) => {
      checkShape(tics, { attributes: ["axis"] });
      return { ...given("axis", tics.attributes.get("axis")), value: filledText(tics) };
    }),
  };
}
