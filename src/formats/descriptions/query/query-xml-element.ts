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
} from "../../../core/experiments/index.ts";
import { flag, trimmedText } from "../input/input-xml-element.ts";
import {
  checkShape,
  childOf,
  childrenOf,
  choiceOf,
  textPosition,
  requiredChild,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";
import { booleanOf, readFilter } from "./query-xml-filter.ts";
import { readQueryTerm } from "./query-xml-term.ts";

/** `{ key: value }`, or `{}` if the value is undefined. */
export function optionalProperty<K extends string, const T>(key: K, value: T | undefined): { [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: T };
}

export function idOf(element: XmlElement): string {
  const id = element.attributes.get("id")?.trim() ?? "";
  if (id === "") throw xmlError(element, `<${element.name}> needs an id`);
  return id;
}

/** The trimmed text of a child; undefined if the child is absent. */
export function trimmedChildText(element: XmlElement, name: string): string | undefined {
  const child = childOf(element, name);
  if (child) checkShape(child, {});
  return child && trimmedText(child);
}

/** The trimmed text of the element, which must not be empty. */
export function nonEmptyTextOf(element: XmlElement): string {
  const text = trimmedText(element);
  if (text === "") throw xmlError(textPosition(element), `<${element.name}> is empty`);
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
    value: nonEmptyTextOf(value),
    ...optionalProperty("alias", value.attributes.get("alias")),
    ...optionalProperty("show", choiceOf(element, "show", shows)),
    ...optionalProperty("style", choiceOf(element, "style", labelStyles)),
    ...optionalProperty("unit", flag(element, "unit")),
    ...booleanOf(element),
    filters: childrenOf(element, "filter").map(readFilter),
    ...optionalProperty("sweep", sweep && { filters: childrenOf(sweep, "filter").map(readFilter) }),
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
  const [index, commit] = [
    childrenOf(element, "index").map(nonEmptyTextOf),
    childrenOf(element, "commit").map(nonEmptyTextOf),
  ];
  const [created, performed] = [childOf(element, "created"), childOf(element, "performed")];
  return {
    id: idOf(element),
    ...optionalProperty("mask", choiceOf(element, "mask", ["include", "exclude"] as const)),
    ...booleanOf(element),
    ...optionalProperty("index", index.length === 0 ? undefined : index),
    ...optionalProperty("created", created && readRange(created)),
    ...optionalProperty("performed", performed && readRange(performed)),
    ...optionalProperty("label", trimmedChildText(element, "label")),
    ...optionalProperty("commit", commit.length === 0 ? undefined : commit),
    ...optionalProperty("branch", trimmedChildText(element, "branch")),
    ...optionalProperty("firstParent", flag(element, "first_parent")),
    ...optionalProperty("since", trimmedChildText(element, "since")),
    ...optionalProperty("until", trimmedChildText(element, "until")),
    ...optionalProperty("synopsis", trimmedChildText(element, "synopsis")),
    ...optionalProperty("description", trimmedChildText(element, "description")),
  };
}

function readRange(element: XmlElement): TimeRange {
  checkShape(element, { children: ["from", "to"] });
  const [from, to] = [childOf(element, "from"), childOf(element, "to")];
  return { ...optionalProperty("from", from && readPoint(from)), ...optionalProperty("to", to && readPoint(to)) };
}

function readPoint(element: XmlElement): PointInTime {
  checkShape(element, { children: ["date", "time"] });
  const date = childOf(element, "date");
  if (date) checkShape(date, { children: ["day", "month", "year"] });
  const part = (name: string): string => (date ? nonEmptyTextOf(requiredChild(date, name)) : "");
  return {
    ...optionalProperty("date", date && { day: part("day"), month: part("month"), year: part("year") }),
    ...optionalProperty("time", trimmedChildText(element, "time")),
  };
}

export function readSeries(element: XmlElement): SeriesElement {
  checkShape(element, { attributes: ["id", "inc"], children: ["name", "base", "increment"] });
  return {
    id: idOf(element),
    name: nonEmptyTextOf(requiredChild(element, "name")),
    ...optionalProperty("inc", choiceOf(element, "inc", ["linear", "exponential"] as const)),
    ...optionalProperty("base", trimmedChildText(element, "base")),
    ...optionalProperty("increment", trimmedChildText(element, "increment")),
  };
}

function readInput(element: XmlElement): ElementInput {
  checkShape(element, { attributes: inputAttributes });
  return { id: nonEmptyTextOf(element), attributes: attributesOf(element, inputAttributes) };
}

function attributesOf<T extends string>(element: XmlElement, names: readonly T[]): ReadonlyMap<T, string> {
  return new Map(
    names.flatMap((name) => {
      const value = element.attributes.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

const operatorAttributes = ["id", "type", "value", "option", "variant", "scope", "match", "sweep", "sweep_combine"];

export function readOperator(element: XmlElement): OperatorElement {
  checkShape(element, { attributes: operatorAttributes, children: ["input", "term"] });
  const attribute = <K extends string>(name: K): { [P in K]?: string } =>
    optionalProperty(name, element.attributes.get(name));
  const inputs = childrenOf(element, "input").map(readInput);
  if (inputs.length === 0) throw xmlError(element, "<operator> needs an <input>");
  return {
    id: idOf(element),
    ...attribute("type"),
    ...attribute("value"),
    ...attribute("option"),
    ...attribute("variant"),
    ...optionalProperty("scope", choiceOf(element, "scope", ["run", "global"] as const)),
    ...optionalProperty("match", choiceOf(element, "match", ["parameter", "index", "modulo"] as const)),
    ...attribute("sweep"),
    ...optionalProperty("sweepCombine", choiceOf(element, "sweep_combine", ["match", "alltoall"] as const)),
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
    ...optionalProperty("datasets", choiceOf(element, "datasets", ["merge", "append"] as const)),
    ...optionalProperty("parameters", choiceOf(element, "parameters", ["all", "unique", "none"] as const)),
    ...optionalProperty("mkparam", flag(element, "mkparam")),
    ...optionalProperty("sweepGroup", element.attributes.get("sweep_group")),
    ...optionalProperty("sweepCombine", choiceOf(element, "sweep_combine", ["match", "alltoall"] as const)),
    inputs,
    omit: childrenOf(element, "omit").map((omit) => {
      checkShape(omit, { attributes: ["input"] });
      return { ...optionalProperty("input", omit.attributes.get("input")), name: nonEmptyTextOf(omit) };
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
    name: nonEmptyTextOf(filename),
    ...optionalProperty("unify", choiceOf(filename, "unify", ["no", "filter", "sweep", "fixed"] as const)),
  };
  return {
    ...optionalProperty("id", element.attributes.get("id")),
    attributes: attributesOf(element, outputAttributes),
    inputs,
    ...optionalProperty("filename", file),
    options: childrenOf(element, "option").map(nonEmptyTextOf),
    tics: childrenOf(element, "tics").map((tics) => {
      checkShape(tics, { attributes: ["axis"] });
      return { ...optionalProperty("axis", tics.attributes.get("axis")), value: nonEmptyTextOf(tics) };
    }),
  };
}
