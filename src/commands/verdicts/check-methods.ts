import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import { isSettings, settingAt, settingText, type Setting, type Settings } from "../../core/values/setting.ts";
import type { Value, Values } from "../../core/values/value.ts";
import type { Config } from "../../workspace/config/config.ts";
import type { Registry } from "../../workspace/plugins/registry.ts";
import type { Checker } from "../../plugins/checkers/checker.ts";

/** How to compare. */
export interface CheckMethod {
  /** Name of a checker; absent: what the configuration says. */
  readonly method?: string;
  /** Which models of each location are compared, for methods that compare models; absent: the best ones. */
  readonly modelsType?: string;
  /** perun: its numbers also where they rest on a defect. */
  readonly compat?: string;
  /** Compare although the two were measured on different machines. Perun knows no machines. */
  readonly anyMachine?: boolean;
}

/** Whether measurements of different machines are compared. */
export function mixesMachines({ compat, anyMachine }: CheckMethod): boolean {
  return anyMachine === true || compat === "perun";
}

/** A rule of `degradation.strategies`: a method, and what a baseline must be like for it. */
interface Rule {
  readonly checker: Checker;
  readonly conditions: Settings;
}

/**
 * Which methods compare a pair of profiles. Rules are tried in order, the local ones first, on the baseline; a method
 * applies once. With `degradation.apply: first` the first that fits is the only one (Perun 0.21).
 */
export class CheckMethods {
  readonly #rules: readonly Rule[];
  readonly #onlyFirst: boolean;
  /** What all of them are told; each takes the options that it knows. */
  readonly options: Values;
  /** Whether rows of a binary count. */
  readonly isWanted: (place: string) => boolean;

  constructor(rules: readonly Rule[], onlyFirst: boolean, settings: MethodSettings) {
    this.#rules = rules;
    this.#onlyFirst = onlyFirst;
    this.options = settings.options;
    this.isWanted = settings.isWanted;
  }

  for(baseline: Run): readonly Checker[] {
    const fitting = new Set(this.#rules.filter((rule) => fits(rule.conditions, baseline)).map((rule) => rule.checker));
    return this.#onlyFirst ? [...fitting].slice(0, 1) : [...fitting];
  }
}

interface MethodSettings {
  readonly options: Values;
  readonly isWanted: (place: string) => boolean;
}

/**
 * The one method that the user asked for, or those of the configuration. Fails with `unknown-plugin`,
 * `bad-config-value`, `pattern-error`, and with `no-models-compared` where the user chooses models for a method that
 * compares none.
 */
export async function checkMethods(
  registry: Registry,
  config: () => Promise<Config>,
  { method, modelsType }: Pick<CheckMethod, "method" | "modelsType">,
): Promise<CheckMethods> {
  const settings = await config();
  const common = await settingsOf(settings, modelsType);
  if (method !== undefined) {
    const checker = await registry.get("checker", method);
    const comparesModels = checker.options.some((option) => option.name === "models-type");
    if (modelsType !== undefined && !comparesModels)
      throw new Failure("no-models-compared", { method: checker.name, modelsType });
    return new CheckMethods([{ checker, conditions: new Map() }], true, common);
  }
  const apply = settings.text("degradation.apply", "all");
  if (apply !== "all" && apply !== "first")
    throw new Failure("bad-config-value", {
      file: "configuration",
      key: "degradation.apply",
      value: apply,
      expected: "all or first",
    });
  const rules: Rule[] = [];
  for (const rule of settings.gather("degradation.strategies")) rules.push(await readRule(registry, rule));
  return new CheckMethods(rules, apply === "first", common);
}

/**
 * Beside the methods the configuration may name a share below which functions are left out, and the binaries that
 * count.
 */
async function settingsOf(settings: Config, modelsType: string | undefined): Promise<MethodSettings> {
  const options = new Map<string, Value>(modelsType === undefined ? [] : [["models-type", modelsType]]);
  const cutoff = settings.text("degradation.cutoff");
  if (cutoff !== "") options.set("cutoff", Number(cutoff));
  const filter = settings.text("degradation.location_filter");
  // Most projects have no pattern, and what compiles one takes a while to load.
  const pattern = filter === "" ? null : (await import("../../formats/text/pattern.ts")).compilePattern(filter);
  return { options, isWanted: (place) => pattern === null || pattern.test(place) };
}

async function readRule(registry: Registry, rule: Setting): Promise<Rule> {
  const method = settingText(settingAt(rule, "method"));
  if (!isSettings(rule) || method === undefined)
    throw new Failure("bad-config-value", {
      file: "configuration",
      key: "degradation.strategies",
      value: "a rule",
      expected: "a section with a method",
    });
  return {
    checker: await registry.get("checker", method),
    conditions: new Map([...rule].filter(([key]) => key !== "method")),
  };
}

/** `collector` is the collector's name, `postprocessor` one of the names; any other key is a key of the header. */
function fits(conditions: Settings, { fixed, steps }: Run): boolean {
  return [...conditions].every(([key, value]) => {
    const wanted = settingText(value);
    if (key === "collector" || key === "postprocessor")
      return steps.some((step) => step.kind === key && same(step.name, wanted));
    return String(fixed.get(key) ?? "") === wanted;
  });
}

/** Perun writes names of units with hyphens or underscores. */
function same(name: string, wanted: string | undefined): boolean {
  return name.replaceAll("-", "_") === wanted?.replaceAll("-", "_");
}
