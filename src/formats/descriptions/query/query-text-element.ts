import {
  chronologies,
  inputAttributes,
  labelStyles,
  missingRows,
  outputAttributes,
  rowKinds,
  shows,
  type CombinerElement,
  type ElementInput,
  type OperatorElement,
  type OutputElement,
  type ParameterElement,
  type SeriesElement,
  type SourceElement,
} from "../../../core/experiments/index.ts";
import type { Word } from "../lexical-syntax.ts";
import type { LineWords } from "../line-words.ts";
import { parseFilter, parseSourceFilter } from "./query-text-filter.ts";
import { requiredText, idAndNames, textDescriptor } from "./query-text-words.ts";
import { optionalProperty } from "./query-xml-element.ts";

/** The descriptors of each kind of line, and which of them are repeatable. */
export const queryGrammars = {
  PARAMETER: {
    allowed: ["alias", "show", "style", "unit", "boolean", "where", "sweep"],
    repeatable: ["where", "sweep"],
  },
  RUN: {
    allowed: [
      "index",
      "mask",
      "boolean",
      "synopsis",
      "description",
      "label",
      "commit",
      "branch",
      "first_parent",
      "since",
      "until",
      "created",
      "created_from",
      "created_to",
      "performed",
      "performed_from",
      "performed_to",
    ],
    repeatable: ["index", "commit"],
  },
  SERIES: { allowed: ["inc", "base", "increment"], repeatable: [] },
  SOURCE: {
    allowed: [
      "result",
      "input",
      "alias",
      "axislabel",
      "boolean",
      "order",
      "key",
      "chronology",
      "where",
      "missing",
      "rows",
    ],
    repeatable: ["result", "input", "alias", "axislabel", "where"],
  },
  OPERATOR: elementGrammar(["value", "option", "variant", "scope", "match", "sweep", "sweep_combine"], []),
  COMBINER: elementGrammar(
    ["datasets", "parameters", "mkparam", "sweep_group", "sweep_combine", "omit", "of"],
    ["omit", "of"],
  ),
  OUTPUT: elementGrammar(
    ["id", ...outputAttributes, "file", "unify", "option", "tics", "axis"],
    ["option", "tics", "axis"],
  ),
} as const;

/** Descriptors of inputs may occur once per input. */
function elementGrammar(
  own: readonly string[],
  repeatable: readonly string[],
): { allowed: readonly string[]; repeatable: readonly string[] } {
  return {
    allowed: [...new Set([...own, "input", ...inputAttributes])],
    repeatable: [...repeatable, "input", ...inputAttributes],
  };
}

/** `sweep=each` sweeps over all values. */
export function readParameterLine(words: LineWords): ParameterElement {
  const [id = "", value = ""] = idAndNames(words, ["the name of a parameter or result"]);
  const filters = (key: string): ReturnType<typeof parseFilter>[] =>
    words.all(key).map((word) => parseFilter(words.line, word));
  const [first, second] = words.all("sweep");
  const each = first?.text === "each" && !second;
  return {
    id,
    value,
    ...textDescriptor(words, "alias", "alias"),
    ...optionalProperty("show", words.choice("show", shows)),
    ...optionalProperty("style", words.choice("style", labelStyles)),
    ...optionalProperty("unit", words.flag("unit")),
    ...optionalProperty("boolean", words.choice("boolean", ["and", "or"] as const)),
    filters: filters("where"),
    ...optionalProperty("sweep", first && { filters: each ? [] : filters("sweep") }),
  };
}

export function readSeriesLine(words: LineWords): SeriesElement {
  const [id = "", name = ""] = idAndNames(words, ["the name of a column"]);
  return {
    id,
    name,
    ...optionalProperty("inc", words.choice("inc", ["linear", "exponential"] as const)),
    ...textDescriptor(words, "base", "base"),
    ...textDescriptor(words, "increment", "increment"),
  };
}

export function readSourceLine(words: LineWords): SourceElement {
  const [id, ...bare] = words.bareWords(Infinity).map((word) => requiredText(words, word));
  if (id === undefined) throw words.error(words, "SOURCE needs an id");
  const groups = words.groups(["result", "input"], ["alias", "axislabel"]);
  const results = groups.filter(({ first }) => first.key === "result");
  const inputs = groups.filter(({ first }) => first.key === "input");
  const [input] = inputs;
  const conditions = words.all("where").map((word) => parseSourceFilter(words.line, word));
  if (results.length === 0 && !words.one("rows")) throw words.error(words, "SOURCE needs result=");
  if (input && bare.length > 0) throw words.error(input.first, "inputs are written bare or as input=, not both");
  const aliased = inputs.find(({ more }) => more.has("alias"));
  if (aliased)
    throw words.error(aliased.first, "an input of a source has no alias", {
      advice: "write alias= in its PARAMETER line",
    });
  const labelled = inputs.flatMap(({ first, more }) =>
    more.has("axislabel") ? [[first.text, more.get("axislabel")?.text ?? ""] as const] : [],
  );
  return {
    id,
    ...optionalProperty("boolean", words.choice("boolean", ["and", "or"] as const)),
    ...optionalProperty("order", words.choice("order", ["ascending", "descending", "keep"] as const)),
    ...textDescriptor(words, "key", "key"),
    ...optionalProperty("chronology", words.choice("chronology", chronologies)),
    ...optionalProperty("filters", conditions.length === 0 ? undefined : conditions),
    ...optionalProperty("missing", words.choice("missing", missingRows)),
    ...optionalProperty("rows", words.choice("rows", rowKinds)),
    results: results.map(({ first, more }) => ({
      name: requiredText(words, first),
      ...optionalProperty("alias", more.get("alias")?.text),
      ...optionalProperty("axislabel", more.get("axislabel")?.text),
    })),
    inputs: input ? inputs.map(({ first }) => requiredText(words, first)) : bare,
    ...optionalProperty("axislabels", labelled.length === 0 ? undefined : new Map(labelled)),
  };
}

/** Descriptors before the first `input=` belong to the element, those after an `input=` to that input. */
class ElementWords {
  readonly inputs: readonly ElementInput[];
  readonly #own = new Map<string, Word>();
  readonly #words: LineWords;

  constructor(words: LineWords, bare: readonly Word[]) {
    this.#words = words;
    const named: { id: string; attributes: Map<string, string> }[] = [];
    for (const word of words.all("input", ...queryKeys)) this.#add(word, named);
    const [first] = words.all("input");
    if (first && bare.length > 0) throw words.error(first, "inputs are written bare or as input=, not both");
    const plain = bare.map((word) => ({ id: requiredText(words, word), attributes: new Map() }));
    this.inputs = (first ? named : plain).map(({ id, attributes }) => ({
      id,
      attributes: inOrder(attributes, inputAttributes),
    }));
    if (this.inputs.length === 0) throw words.error(words, `${words.keyword} needs an input`);
  }

  #add(word: Word, inputs: { id: string; attributes: Map<string, string> }[]): void {
    const key = word.key ?? "";
    const last = inputs.at(-1);
    if (key === "input") inputs.push({ id: requiredText(this.#words, word), attributes: new Map() });
    else if (last && inputAttributes.some((name) => name === key)) {
      if (last.attributes.has(key)) throw this.#words.error(word, `${key} is given twice`);
      last.attributes.set(key, word.text);
    } else if (this.#own.has(key)) throw this.#words.error(word, `${key} is given twice`);
    else this.#own.set(key, word);
  }

  /** Fails on an input's descriptor before the first `input=`. */
  text<K extends string>(allowed: readonly string[], key: string, as: K): { [P in K]?: string } {
    const early = [...this.#own.values()].find((word) => !allowed.includes(word.key ?? ""));
    if (early) throw this.#words.error(early, `${early.key} belongs after the input= that it describes`);
    return optionalProperty(as, this.#own.get(key)?.text);
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    return this.#own.has(key) ? this.#words.choice(key, choices) : undefined;
  }
}

const queryKeys = [
  ...new Set([...queryGrammars.OPERATOR.allowed, ...queryGrammars.COMBINER.allowed, ...queryGrammars.OUTPUT.allowed]),
].filter((key) => !["input", "omit", "of", "option", "tics", "axis"].includes(key));

/** Attributes in the order of the model. */
function inOrder<T extends string>(values: ReadonlyMap<string, string>, names: readonly T[]): ReadonlyMap<T, string> {
  return new Map(names.flatMap((name) => (values.has(name) ? [[name, values.get(name) ?? ""] as const] : [])));
}

/** `OPERATOR id type input…`; terms follow on separate lines. The type `""` is none. */
export function readOperatorLine(words: LineWords): OperatorElement {
  const [id, type, ...bare] = words.bareWords(Infinity);
  if (!id || !type) throw words.error(words, "OPERATOR needs an id, a type and inputs");
  const element = new ElementWords(words, bare);
  const own = ["value", "option", "variant", "scope", "match", "sweep", "sweep_combine"];
  return {
    id: requiredText(words, id),
    ...optionalProperty("type", type.text === "" ? undefined : type.text),
    ...element.text(own, "value", "value"),
    ...optionalProperty("option", words.all("option")[0]?.text),
    ...element.text(own, "variant", "variant"),
    ...optionalProperty("scope", element.choice("scope", ["run", "global"] as const)),
    ...optionalProperty("match", element.choice("match", ["parameter", "index", "modulo"] as const)),
    ...element.text(own, "sweep", "sweep"),
    ...optionalProperty("sweepCombine", element.choice("sweep_combine", ["match", "alltoall"] as const)),
    inputs: element.inputs,
    terms: [],
  };
}

export function readCombinerLine(words: LineWords): CombinerElement {
  const [id, ...bare] = words.bareWords(Infinity);
  if (!id) throw words.error(words, "COMBINER needs an id and inputs");
  const element = new ElementWords(words, bare);
  const own = ["datasets", "parameters", "mkparam", "sweep_group", "sweep_combine"];
  return {
    id: requiredText(words, id),
    ...optionalProperty("datasets", element.choice("datasets", ["merge", "append"] as const)),
    ...optionalProperty("parameters", element.choice("parameters", ["all", "unique", "none"] as const)),
    ...optionalProperty("mkparam", words.flag("mkparam")),
    ...element.text(own, "sweep_group", "sweepGroup"),
    ...optionalProperty("sweepCombine", element.choice("sweep_combine", ["match", "alltoall"] as const)),
    inputs: element.inputs,
    omit: words.groups(["omit"], ["of"]).map(({ first, more }) => ({
      ...optionalProperty("input", more.get("of")?.text),
      name: requiredText(words, first),
    })),
  };
}

/** `OUTPUT input…`: no element refers to an output, so its id is a descriptor. */
export function readOutputLine(words: LineWords): OutputElement {
  const element = new ElementWords(words, words.bareWords(Infinity));
  const own = ["id", ...outputAttributes, "file", "unify"];
  const attributes = outputAttributes.map((key) => [key, element.text(own, key, "text").text] as const);
  const { file } = element.text(own, "file", "file");
  const unify = element.choice("unify", ["no", "filter", "sweep", "fixed"] as const);
  if (file === undefined && unify !== undefined) throw words.error(words, "unify= needs file=");
  return {
    ...element.text(own, "id", "id"),
    attributes: new Map(attributes.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))),
    inputs: element.inputs,
    ...optionalProperty(
      "filename",
      file === undefined ? undefined : { name: file, ...optionalProperty("unify", unify) },
    ),
    options: words.all("option").map((word) => word.text),
    tics: words
      .groups(["tics"], ["axis"])
      .map(({ first, more }) => ({ ...optionalProperty("axis", more.get("axis")?.text), value: first.text })),
  };
}
