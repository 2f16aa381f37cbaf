import { isList, isObject, textAt, type Json, type JsonObject } from "../../core/values/json.ts";
import type { Run, Step } from "../../core/profiles/run.ts";

/** Header fields that a run holds as fixed values. */
const fixedNames = ["type", "cmd", "workload"] as const;

type Description = Pick<Run, "fixed" | "steps" | "extra"> & { readonly machine?: JsonObject };

/**
 * Takes the regions that describe a profile apart. What a run has a place for goes there; `extra` keeps the rest and
 * the order: null stands where a value was taken out, and a list of postprocessors is emptied.
 */
export function readDescription(regions: JsonObject): Description {
  const header = regions.get("header");
  const machine = regions.get("machine");
  const info = regions.get("collector_info");
  const list = regions.get("postprocessors");
  const collector: Step[] = typeof textAt(info, "name") === "string" ? [stepOf("collector", info)] : [];
  const postprocessors = isList(list) ? list.map((step) => stepOf("postprocessor", step)) : [];
  const extra = new Map(regions);
  if (isObject(header))
    extra.set(
      "header",
      without(
        header,
        fixedNames.filter((name) => textAt(header, name) !== undefined),
      ),
    );
  if (isObject(info) && collector.length > 0) extra.set("collector_info", without(info, ["name", "params"]));
  if (isObject(machine)) extra.set("machine", null);
  if (isList(list) && list.every(isPlainStep)) extra.set("postprocessors", []);
  return {
    fixed: new Map(
      fixedNames.flatMap((name) => (textAt(header, name) === undefined ? [] : [[name, textAt(header, name)!]])),
    ),
    steps: [...collector, ...postprocessors],
    extra,
    ...(isObject(machine) ? { machine } : {}),
  };
}

function stepOf(kind: Step["kind"], json: Json | undefined): Step {
  return { kind, name: textAt(json, "name") ?? "", params: (isObject(json) ? json.get("params") : undefined) ?? null };
}

/** True when a step holds all that the entry says, in the usual order. */
function isPlainStep(json: Json): boolean {
  return isObject(json) && [...json.keys()].join() === "name,params" && textAt(json, "name") !== undefined;
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return new Map([...object].map(([key, value]) => [key, names.includes(key) ? null : value]));
}

/** The describing regions of a run, in the order of `extra`; those it does not name follow in the usual order. */
export function printDescription(run: Run): JsonObject {
  const collector = run.steps.find((step) => !isPostprocessor(step));
  const regions = new Map<string, Json>(run.extra);
  const fixed = fixedNames.map((name): [string, Json | undefined] => [name, fixedText(run, name)]);
  regions.set("header", filled(regions.get("header"), fixed));
  if (run.machine) regions.set("machine", run.machine);
  if (collector)
    regions.set(
      "collector_info",
      filled(regions.get("collector_info"), paramsOf(collector, regions.get("collector_info"))),
    );
  const isNew = !run.extra.has("header");
  if (isNew || run.steps.some(isPostprocessor) || regions.has("postprocessors")) {
    regions.set("postprocessors", postprocessorsOf(run, regions.get("postprocessors")));
  }
  return regions;
}

function isPostprocessor(step: Step): boolean {
  return step.kind === "postprocessor";
}

function fixedText(run: Run, name: string): string | undefined {
  const value = run.fixed.get(name);
  return value === undefined || value === null ? undefined : String(value);
}

function paramsOf(step: Step, template: Json | undefined): [string, Json | undefined][] {
  const isLeftOut = step.params === null && isObject(template) && !template.has("params");
  return [
    ["name", step.name],
    ["params", isLeftOut ? undefined : step.params],
  ];
}

/** Puts values where null stands for them; those without a place go to the end. */
function filled(template: Json | undefined, values: readonly (readonly [string, Json | undefined])[]): JsonObject {
  const object = new Map<string, Json>(isObject(template) ? template : []);
  for (const [key, value] of values) if (value !== undefined) object.set(key, value);
  return object;
}

/** The entries of `template` are there already; the steps beyond them are appended. */
function postprocessorsOf(run: Run, template: Json | undefined): Json {
  const steps = run.steps.filter(isPostprocessor);
  if (template !== undefined && !isList(template) && steps.length === 0) return template;
  const kept = isList(template) ? template : [];
  const added = steps.slice(kept.length);
  return [
    ...kept,
    ...added.map(
      ({ name, params }) =>
        new Map<string, Json>([
          ["name", name],
          ["params", params],
        ]),
    ),
  ];
}
