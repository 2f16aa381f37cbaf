import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import {
  isSettings,
  settingAt,
  settingText,
  type Setting,
  type Settings,
  type Value,
  type Values,
} from "../../core/values/index.ts";
import { defaultStrategy, perunStrategy, type Config } from "../../workspace/config/index.ts";
import type { Registry } from "../../workspace/plugins/index.ts";
import type { Checker } from "../../plugins/checkers/checker.ts";

/** Selects the checker and how runs are compared. */
export interface CheckMethod {
  /** Name of a checker; default: the configured strategies. */
  readonly method?: string;
  /** Models of each location to compare, for methods that compare models; default: the best ones. */
  readonly modelsType?: string;
  /** `perun`: reproduce Perun's numbers, including its defects. */
  readonly compat?: string;
  /** Compare measurements of different machines (Perun does not distinguish machines). */
  readonly anyMachine?: boolean;
}

/** Whether measurements of different machines are compared. */
export function mixesMachines({ compat, anyMachine }: CheckMethod): boolean {
  return anyMachine === true || compat === "perun";
}

/** A rule of `degradation.strategies`: a checker and the conditions on the baseline. */
interface Rule {
  readonly checker: Checker;
  readonly conditions: Settings;
  /** perfkeep's default, which no file names. */
  readonly isDefault?: boolean;
}

/** The method that perfkeep's default replaces. */
const replacedMethod = "average_amount_threshold";

/**
 * Selects the checkers for a pair of profiles. Rules are matched against the baseline in order, local ones first; each
 * checker runs once. With `degradation.apply: first` only the first match runs (Perun 0.21). The default does not run
 * where the configuration names the method that it replaces.
 */
export class CheckMethods {
  readonly #rules: readonly Rule[];
  readonly #onlyFirst: boolean;
  /** Options for all checkers; each uses those it knows. */
  readonly options: Values;
  /** Whether rows of a location (binary) are compared. */
  readonly isWanted: (location: string) => boolean;

  constructor(rules: readonly Rule[], onlyFirst: boolean, settings: MethodSettings) {
    this.#rules = rules;
    this.#onlyFirst = onlyFirst;
    this.options = settings.options;
    this.isWanted = settings.isWanted;
  }

  for(baseline: Run): readonly Checker[] {
    const matching = this.#rules.filter((rule) => fits(rule.conditions, baseline));
    const named = matching.filter((rule) => rule.isDefault !== true);
    const isReplaced = named.some(({ checker }) => checker.method === replacedMethod);
    const fitting = new Set((isReplaced ? named : matching).map((rule) => rule.checker));
    return this.#onlyFirst ? [...fitting].slice(0, 1) : [...fitting];
  }
}

interface MethodSettings {
  readonly options: Values;
  readonly isWanted: (location: string) => boolean;
}

/**
 * Returns the requested method, else the configured ones. Fails with `unknown-plugin`, `bad-config-value`,
 * `pattern-error`, and `no-models-compared` for `modelsType` with a method that compares no models. `strategy`: the
 * rule that applies if the shared configuration has none.
 */
export async function checkMethods(
  registry: Registry,
  config: () => Promise<Config>,
  { method, modelsType, compat }: Pick<CheckMethod, "method" | "modelsType" | "compat">,
  strategy: Setting = compat === "perun" ? perunStrategy : defaultStrategy,
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
  for (const rule of settings.gather("degradation.strategies", [strategy]))
    rules.push({ ...(await readRule(registry, rule)), isDefault: rule === defaultStrategy });
  return new CheckMethods(rules, apply === "first", common);
}

/**
 * Reads `degradation.cutoff` (share below which functions are ignored) and `degradation.location_filter` (pattern of
 * binaries).
 */
async function settingsOf(settings: Config, modelsType: string | undefined): Promise<MethodSettings> {
  const options = new Map<string, Value>(modelsType === undefined ? [] : [["models-type", modelsType]]);
  const cutoff = settings.text("degradation.cutoff");
  if (cutoff !== "") options.set("cutoff", Number(cutoff));
  const filter = settings.text("degradation.location_filter");
  // Loaded on demand: most projects configure no pattern.
  const pattern = filter === "" ? null : (await import("../../formats/text/pattern.ts")).compilePattern(filter);
  return { options, isWanted: (location) => pattern === null || pattern.test(location) };
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

/** `collector` and `postprocessor` match step names; other keys match the header. */
function fits(conditions: Settings, { fixed, steps }: Run): boolean {
  return [...conditions].every(([key, value]) => {
    const wanted = settingText(value);
    if (key === "collector" || key === "postprocessor")
      return steps.some((step) => step.kind === key && same(step.name, wanted));
    return String(fixed.get(key) ?? "") === wanted;
  });
}

/** Perun spells step names with hyphens or underscores. */
function same(name: string, wanted: string | undefined): boolean {
  return name.replaceAll("-", "_") === wanted?.replaceAll("-", "_");
}
