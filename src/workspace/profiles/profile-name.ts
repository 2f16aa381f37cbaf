import { flatText, isObject } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { profileName } from "../../formats/profile/index.ts";
import type { Workspace } from "../workspace.ts";

/** The name of a new profile from the run's facts. Fails with `unknown-choice` for an unknown token. */
export function runName(workspace: Workspace, run: Run, template: string, suffix: string): string {
  const text = (key: string): string => String(run.fixed.get(key) ?? "");
  const facts = {
    collector: run.steps.find((step) => step.kind === "collector")?.name ?? "",
    postprocessors: run.steps.filter((step) => step.kind === "postprocessor").map((step) => step.name),
    cmd: text("cmd"),
    workload: text("workload"),
    type: text("type"),
    origin: run.origin ?? "",
  };
  const context = { time: workspace.world.now(), counter: 0, params: new Map(run.steps.flatMap(paramsOf)) };
  return profileName(template, { ...facts, ...context }, suffix);
}

function paramsOf({ name, params }: Run["steps"][number]): (readonly [string, string])[] {
  return isObject(params) ? [...params].map(([key, value]) => [`${name}.${key}`, flatText(value)] as const) : [];
}
