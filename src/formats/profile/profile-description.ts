import { isList, isObject, textAt, type Json, type JsonObject } from "../../core/values/index.ts";
import type { Run, Step } from "../../core/profiles/index.ts";

/** Header fields that a run holds as fixed values. */
const fixedNames = ["type", "cmd", "workload"] as const;

type Description = Pick<Run, "fixed" | "steps" | "extra"> & { readonly machine?: JsonObject };

/**
 * Splits the descriptive regions of a profile into the fields of a run. `extra` keeps the remaining values and the
 * order: null replaces each extracted value, and the list of postprocessors is emptied.
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
  if (isList(list) && list.every(isCanonicalStep)) extra.set("postprocessors", []);
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

/** Whether a step has exactly a name and params, in this order. */
function isCanonicalStep(json: Json): boolean {
  return isObject(json) && [...json.keys()].join() === "name,params" && textAt(json, "name") !== undefined;
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return new Map([...object].map(([key, value]) => [key, names.includes(key) ? null : value]));
}

/** The descriptive regions of a run in the order of `extra`; new regions follow in the default order. */
export function printDescription(run: Run): JsonObject {
  const collector = run.steps.find((step) => !isPostprocessor(step));
  const regions = new Map<string, Json>(run.extra);
  const fixed = fixedNames.map((name): [string, Json | undefined] => [name, fixedText(run, name)]);
  regions.set("header", fillTemplate(regions.get("header"), fixed));
  if (run.machine) regions.set("machine", run.machine);
  if (collector)
    regions.set(
      "collector_info",
      fillTemplate(regions.get("collector_info"), paramsOf(collector, regions.get("collector_info"))),
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
  const isOmitted = step.params === null && isObject(template) && !template.has("params");
  return [
    ["name", step.name],
    ["params", isOmitted ? undefined : step.params],
  ];
}

/** Sets values in the template; new keys are appended. */
function fillTemplate(
  template: Json | undefined,
  values: readonly (readonly [string, Json | undefined])[],
): JsonObject {
  const object = new Map<string, Json>(isObject(template) ? template : []);
  for (const [key, value] of values) if (value !== undefined) object.set(key, value);
  return object;
}

/** Appends the steps that follow the entries of `template`. */
function postprocessorsOf(run: Run, template: Json | undefined): Json {
  const steps = run.steps.filter(isPostprocessor);
  if (template !== undefined && !isList(template) && steps.length === 0) return template;
  const existing = isList(template) ? template : [];
  const added = steps.slice(existing.length);
  return [
    ...existing,
    ...added.map(
      ({ name, params }) =>
        new Map<string, Json>([
          ["name", name],
          ["params", params],
        ]),
    ),
  ];
}
