import { changeResults } from "../../core/verdicts/index.ts";
import type { Block } from "../../core/figures/index.ts";
import type { PluginOf } from "../../plugins/builtin.ts";

/**
 * Kinds of plug-ins that users may add. Engines are excluded: they receive passwords
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

/** Required functions by kind. */
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

/** Required text fields by kind, with their choices; null: any text. */
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

/** Why a value is not a valid plug-in, or null. */
export function checkPlugin(value: unknown): string | null {
  if (!isRecord(value)) return "plugin() returns no object";
  const kind = addedKinds.find((known) => known === value["kind"]);
  if (kind === undefined) return `its kind '${abbreviated(value["kind"])}' is not one of ${addedKinds.join(", ")}`;
  if (!isPluginName(value["name"]))
    return `its name '${abbreviated(value["name"])}' is not made of lower-case words and digits joined by hyphens`;
  if (typeof value["synopsis"] !== "string" || value["synopsis"] === "") return "it has no synopsis";
  if (!isNameList(value["aliases"] ?? [])) return "its aliases are not a list of strings";
  const field = Object.entries(textFields[kind]).find(([name, choices]) => !isTextOf(value[name], choices));
  if (field) return `its ${field[0]} is ${field[1] === null ? "not a string" : `not one of ${field[1].join(", ")}`}`;
  if ((kind === "postprocessor" || kind === "generator") && !isRecord(value["spellings"]))
    return "its spellings are not an object";
  if (kind === "generator" && typeof value["needsTree"] !== "boolean") return "its needsTree is neither true nor false";
  if (kind === "renderer" && !/^[a-z0-9]{1,20}$/.test(String(value["extension"])))
    return "its extension is not made of lower-case letters and digits, without a dot";
  if (kind === "view" && !isPluginName(value["operand"] ?? "absent")) return "its operand is not the name of an option";
  if (kind === "checker" && !isTextList(value["types"] ?? [])) return "its types are not a list of strings";
  const missing = requiredFunctions[kind].find((name) => typeof value[name] !== "function");
  return missing === undefined ? checkOptions(value["options"]) : `it has no function ${missing}`;
}

/** Whether a name is valid on the command line and in configurations. */
export function isPluginName(name: unknown): boolean {
  return typeof name === "string" && name.length <= 60 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name);
}

function checkOptions(options: unknown): string | null {
  if (!Array.isArray(options)) return "its options are not a list";
  const invalid = options.find(
    (each) => !isRecord(each) || !isPluginName(each["name"]) || !isTextOf(each["type"], optionTypes),
  );
  return invalid === undefined
    ? null
    : `an option has no valid name, or a type that is not one of ${optionTypes.join(", ")}`;
}

const optionTypes = ["integer", "float", "string", "text", "boolean", "duration"];

/** Checks of the results of a kind's functions, by function name; each returns the problem or null. */
export const resultChecks: Readonly<Record<AddedKind, Readonly<Record<string, (result: unknown) => string | null>>>> = {
  collector: { collect: checkRun, after: checkRun },
  generator: { generate: checkWorkloads },
  importer: { sniff: checkNumber },
  reader: { sniff: checkNumber, read: checkRun, stacks: (result) => (isRecord(result) ? null : "no stacks") },
  postprocessor: { apply: checkRun },
  checker: { check: checkChanges },
  detector: { detect: checkLevelChanges },
  view: { draw: checkFigure },
  renderer: { render: checkRendered },
  vcs: { open: (result) => (isRecord(result) ? null : "no repository") },
};

function checkNumber(result: unknown): string | null {
  return typeof result === "number" ? null : "no number";
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
  if (!(run["fixed"] instanceof Map)) return "a run whose fixed values are not a Map";
  const data = run["data"];
  const isTable =
    isRecord(data) &&
    Array.isArray(data["columns"]) &&
    Array.isArray(data["variables"]) &&
    typeof data["length"] === "number";
  if (!isTable) return "a run whose data is not a table";
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
    isTextOf(change["result"], changeResults) &&
    ["rate", "relativeRate"].every((name) => typeof change[name] === "number") &&
    isRecord(change["confidence"]);
  if (!changes.every((change) => !isRecord(change) || isIntervals(change["intervals"])))
    return "a change with invalid intervals";
  return changes.every(isChange)
    ? null
    : `a change without one of ${[...texts, "result", "rate", "relativeRate", "confidence"].join(", ")}`;
}

/** Absent, or valid intervals. */
function isIntervals(intervals: unknown): boolean {
  const isInterval = (each: unknown): boolean =>
    isRecord(each) &&
    isTextOf(each["result"], changeResults) &&
    ["rate", "from", "to"].every((name) => typeof each[name] === "number");
  return intervals === undefined || (Array.isArray(intervals) && intervals.every(isInterval));
}

/** All kinds of blocks; a new kind fails to compile until it is listed here. */
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
  const isBlock = (block: unknown): boolean => isRecord(block) && isTextOf(block["kind"], Object.keys(blockKinds));
  return figure["blocks"].every(isBlock) ? null : "a figure with a block of an unknown kind";
}

function checkRendered(output: unknown): string | null {
  return typeof output === "string" || output instanceof Uint8Array ? null : "neither a string nor bytes";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isTextOf(value: unknown, choices: readonly string[] | null): boolean {
  return typeof value === "string" && value !== "" && (choices === null || choices.includes(value));
}

function isNameList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === "string" && /^[A-Za-z][A-Za-z0-9_-]{0,79}$/.test(name))
  );
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function abbreviated(value: unknown): string {
  return String(typeof value === "string" || typeof value === "number" ? value : typeof value).slice(0, 80);
}
