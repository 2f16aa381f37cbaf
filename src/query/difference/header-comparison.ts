import type { TableBlock } from "../../core/figures/figure.ts";
import { flatText } from "../../core/values/flatten.ts";
import { isObject, JsonNumber, type Json } from "../../core/values/json.ts";
import type { DifferenceSide } from "../../core/profiles/profile-difference.ts";
import type { Run } from "../../core/profiles/run.ts";

/** A profile and its name. */
export interface NamedRun extends DifferenceSide {
  readonly run: Run;
}

/** What two profiles are, side by side: a row for each fact that one of them tells, with a remark where they differ. */
export function headersBeside(base: NamedRun, target: NamedRun): TableBlock {
  const [before, after] = [factsOf(base), factsOf(target)];
  const rows = Object.keys(before)
    .map((key): [string, string, string] => [key, before[key] ?? "", after[key] ?? ""])
    .filter(([, one, other]) => one !== "" || other !== "");
  return {
    kind: "table",
    caption: "The two profiles",
    head: ["", "base", "target", "remark"].map((label) => ({ label, align: "left" })),
    rows: rows.map(([key, one, other]) => [key, one || "-", other || "-", one === other ? "" : "differs"]),
  };
}

/** In the order of both sides; what is not told is empty. */
function factsOf({ run, profile, version }: NamedRun): Record<string, string> {
  const { fixed, machine } = run;
  const told = (key: string): string => String(fixed.get(key) ?? "");
  const of = (key: string): string => textOf(machine?.get(key));
  const system = [of("system"), of("release")].filter((word) => word !== "").join(" ");
  return {
    profile,
    origin: version ?? "",
    command: told("cmd"),
    workload: told("workload"),
    collector: stepsText(run, "collector"),
    postprocessors: stepsText(run, "postprocessor"),
    rows: String(run.data.length),
    host: of("host"),
    system: [system, of("architecture")].filter((word) => word !== "").join(", "),
    kernel: of("kernel"),
    cpu: cpuText(machine?.get("cpu")),
    memory: memoryText(machine?.get("memory")),
  };
}

/** Steps with their parameters: `perf (frequency: 99)`. */
function stepsText({ steps }: Run, kind: string): string {
  const texts = steps
    .filter((step) => step.kind === kind)
    .map(({ name, params }) => {
      const given = isObject(params) ? [...params].map(([key, value]) => `${key}: ${flatText(value)}`).join(", ") : "";
      return given === "" ? name : `${name} (${given})`;
    });
  return texts.join(", then ");
}

function cpuText(cpu: Json | undefined): string {
  if (!isObject(cpu)) return textOf(cpu);
  const [model, total, frequency] = ["model", "total", "frequency"].map((key) => textOf(cpu.get(key))) as [
    string,
    string,
    string,
  ];
  return [model, total === "" ? "" : `${total} processors`, frequency].filter((word) => word !== "").join(", ");
}

function memoryText(memory: Json | undefined): string {
  return isObject(memory) ? textOf(memory.get("total_ram")) : textOf(memory);
}

function textOf(json: Json | undefined): string {
  if (json instanceof JsonNumber) return json.text;
  return typeof json === "string" ? json : "";
}
