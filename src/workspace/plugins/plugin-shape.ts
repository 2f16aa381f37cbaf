import { changeResults } from "../../core/verdicts/change.ts";
import type { Block } from "../../core/figures/figure.ts";
import type { PluginOf } from "../../plugins/builtin.ts";

/**
 * The kinds of plug-ins that users may add. Engines are perfkeep's own: they are handed passwords
 * (docs/adr/011-plug-ins-of-users.md).
 */
export const addedKinds = [
  "collector",
  "generator",
  "importer",
  "reader",
  "postprocessor",
  "checker",
  "detector",
  "view",
  "renderer",
  "vcs",
] as const;

export type AddedKind = (typeof addedKinds)[number];

export type AddedPlugin = PluginOf[AddedKind];

/** The functions that each kind has. */
const requiredFunctions: Readonly<Record<AddedKind, readonly string[]>> = {
  collector: ["prepare", "collect"],
  generator: ["generate"],
  importer: ["sniff", "read"],
  reader: ["sniff", "stacks", "read"],
  postprocessor: ["apply"],
  checker: ["check"],
  detector: ["detect"],
  view: ["draw"],
  renderer: ["render"],
  vcs: ["init", "open"],
};

/** Fields of a kind that hold one text, with what they may hold where that is closed. */
const textFields: Readonly<Record<AddedKind, Readonly<Record<string, readonly string[] | null>>>> = {
  collector: { profileType: ["time", "memory", "mixed"] },
  generator: {},
  importer: { marks: null },
  reader: {},
  postprocessor: { recorded: null },
  checker: { method: null },
  detector: {},
  view: {},
  renderer: { mediaType: null, extension: null },
  vcs: {},
};

/** What is wrong with a thing that should be a plug-in, or null. */
export function checkPlugin(thing: unknown): string | null {
  if (!isRecord(thing)) return "it makes no object";
  const kind = addedKinds.find((known) => known === thing["kind"]);
  if (kind === undefined) return `its kind '${abbreviated(thing["kind"])}' is not one of ${addedKinds.join(", ")}`;
  if (!isPluginName(thing["name"]))
    return `its name '${abbreviated(thing["name"])}' is not words of small letters and digits, joined by hyphens`;
  if (typeof thing["synopsis"] !== "string" || thing["synopsis"] === "") return "it has no synopsis";
  if (!isNames(thing["aliases"] ?? [])) return "its aliases are no list of texts";
  const field = Object.entries(textFields[kind]).find(([name, choices]) => !isText(thing[name], choices));
  if (field) return `its ${field[0]} is ${field[1] === null ? "no text" : `not one of ${field[1].join(", ")}`}`;
  if ((kind === "postprocessor" || kind === "generator") && !isRecord(thing["spellings"]))
    return "its spellings are no object";
  if (kind === "generator" && typeof thing["needsTree"] !== "boolean") return "its needsTree is neither true nor false";
  if (kind === "renderer" && !/^[a-z0-9]{1,20}$/.test(String(thing["extension"])))
    return "its extension is not small letters and digits without a dot";
  if (kind === "view" && !isPluginName(thing["operand"] ?? "absent")) return "its operand is no name of an option";
  if (kind === "checker" && !isTexts(thing["types"] ?? [])) return "its types are no list of texts";
  const missing = requiredFunctions[kind].find((name) => typeof thing[name] !== "function");
  return missing === undefined ? checkOptions(thing["options"]) : `it has no function ${missing}`;
}

/** Names as the command line and configurations have them. */
export function isPluginName(name: unknown): boolean {
  return typeof name === "string" && name.length <= 60 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name);
}

function checkOptions(options: unknown): string | null {
  if (!Array.isArray(options)) return "its options are no list";
  const odd = options.find(
    (each) => !isRecord(each) || !isPluginName(each["name"]) || !isText(each["type"], optionTypes),
  );
  return odd === undefined
    ? null
    : `an option has no proper name, or a type that is not one of ${optionTypes.join(", ")}`;
}

const optionTypes = ["integer", "float", "string", "text", "boolean", "duration"];

/**
 * What is wrong with what functions of a plug-in answer, or null, by the names of those that answer something to look
 * at.
 */
export const resultChecks: Readonly<
  Record<AddedKind, Readonly<Record<string, (answer: unknown) => string | null>>>
> = {
  collector: { collect: checkRun, after: checkRun },
  generator: { generate: checkWorkloads },
  importer: { sniff: checkNumber },
  reader: { sniff: checkNumber, read: checkRun, stacks: (answer) => (isRecord(answer) ? null : "no stacks") },
  postprocessor: { apply: checkRun },
  checker: { check: checkChanges },
  detector: { detect: checkLevelChanges },
  view: { draw: checkFigure },
  renderer: { render: checkRendered },
  vcs: { open: (answer) => (isRecord(answer) ? null : "no repository") },
};

function checkNumber(answer: unknown): string | null {
  return typeof answer === "number" ? null : "no number";
}

function checkWorkloads(workloads: unknown): string | null {
  const isWorkload = (each: unknown): boolean =>
    isRecord(each) &&
    typeof each["words"] === "string" &&
    typeof each["title"] === "string" &&
    each["facts"] instanceof Map;
  return Array.isArray(workloads) && workloads.every(isWorkload)
    ? null
    : "no list of workloads with words, title and facts";
}

function checkLevelChanges(changes: unknown): string | null {
  const isChange = (each: unknown): boolean =>
    isRecord(each) &&
    Number.isInteger(each["index"]) &&
    ["before", "after"].every((name) => typeof each[name] === "number");
  return Array.isArray(changes) && changes.every(isChange) ? null : "no list of changes with index, before and after";
}

function checkRun(run: unknown): string | null {
  if (!isRecord(run)) return "no run";
  if (!(run["fixed"] instanceof Map)) return "a run whose fixed values are no Map";
  const data = run["data"];
  const isTable =
    isRecord(data) &&
    Array.isArray(data["columns"]) &&
    Array.isArray(data["variables"]) &&
    typeof data["length"] === "number";
  if (!isTable) return "a run whose data are no table";
  return Array.isArray(run["models"]) && Array.isArray(run["steps"])
    ? null
    : "a run without lists of models and of steps";
}

function checkChanges(changes: unknown): string | null {
  if (!Array.isArray(changes)) return "no list of changes";
  const texts = ["location", "type", "from", "to", "method"];
  const isChange = (change: unknown): boolean =>
    isRecord(change) &&
    texts.every((name) => typeof change[name] === "string") &&
    isText(change["result"], changeResults) &&
    ["rate", "relativeRate"].every((name) => typeof change[name] === "number") &&
    isRecord(change["confidence"]);
  if (!changes.every((change) => !isRecord(change) || isIntervals(change["intervals"])))
    return "a change whose intervals are none";
  return changes.every(isChange)
    ? null
    : `a change without one of ${[...texts, "result", "rate", "relativeRate", "confidence"].join(", ")}`;
}

/** Absent, or parts as they are printed. */
function isIntervals(intervals: unknown): boolean {
  const isInterval = (each: unknown): boolean =>
    isRecord(each) &&
    isText(each["result"], changeResults) &&
    ["rate", "from", "to"].every((name) => typeof each[name] === "number");
  return intervals === undefined || (Array.isArray(intervals) && intervals.every(isInterval));
}

/** All kinds of blocks: a new one does not compile until it stands here, too. */
const blockKinds: Readonly<Record<Block["kind"], true>> = {
  text: true,
  table: true,
  chart: true,
  surface: true,
  flame: true,
};

function checkFigure(figure: unknown): string | null {
  if (!isRecord(figure) || typeof figure["title"] !== "string" || !Array.isArray(figure["blocks"]))
    return "no figure with title and blocks";
  const isBlock = (block: unknown): boolean => isRecord(block) && isText(block["kind"], Object.keys(blockKinds));
  return figure["blocks"].every(isBlock) ? null : "a figure with a block of a kind that there is not";
}

function checkRendered(content: unknown): string | null {
  return typeof content === "string" || content instanceof Uint8Array ? null : "neither a text nor bytes";
}

function isRecord(thing: unknown): thing is Readonly<Record<string, unknown>> {
  return typeof thing === "object" && thing !== null;
}

function isText(thing: unknown, choices: readonly string[] | null): boolean {
  return typeof thing === "string" && thing !== "" && (choices === null || choices.includes(thing));
}

function isNames(thing: unknown): boolean {
  return (
    Array.isArray(thing) &&
    thing.every((name) => typeof name === "string" && /^[A-Za-z][A-Za-z0-9_-]{0,79}$/.test(name))
  );
}

function isTexts(thing: unknown): boolean {
  return Array.isArray(thing) && thing.every((text) => typeof text === "string");
}

function abbreviated(thing: unknown): string {
  return String(typeof thing === "string" || typeof thing === "number" ? thing : typeof thing).slice(0, 80);
}
