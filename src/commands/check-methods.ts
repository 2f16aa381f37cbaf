import { Failure } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import { isSettings, settingAt, settingText, type Setting, type Settings } from "../core/setting.ts";
import type { Config } from "../workspace/config.ts";
import type { Registry } from "../workspace/registry.ts";
import type { Checker } from "../plugins/checkers/checker.ts";

/** A rule of `degradation.strategies`: a method, and what a baseline must be like for it. */
interface Rule {
  readonly checker: Checker;
  readonly conditions: Settings;
}

/**
 * Which methods compare a pair of profiles. Rules are tried in order, the local ones first, on the baseline; a method applies once. With
 * `degradation.apply: first` the first that fits is the only one (Perun 0.21).
 */
export class CheckMethods {
  readonly #rules: readonly Rule[];
  readonly #onlyFirst: boolean;

  constructor(rules: readonly Rule[], onlyFirst: boolean) {
    this.#rules = rules;
    this.#onlyFirst = onlyFirst;
  }

  for(baseline: Run): readonly Checker[] {
    const fitting = new Set(this.#rules.filter((rule) => fits(rule.conditions, baseline)).map((rule) => rule.checker));
    return this.#onlyFirst ? [...fitting].slice(0, 1) : [...fitting];
  }
}

/** The one method that the user asked for, or those of the configuration. Fails with `unknown-plugin`, `bad-config-value`. */
export async function checkMethods(registry: Registry, config: () => Promise<Config>, asked: string | undefined): Promise<CheckMethods> {
  if (asked !== undefined) return new CheckMethods([{ checker: await registry.get("checker", asked), conditions: new Map() }], true);
  const settings = await config();
  const apply = settings.text("degradation.apply", "all");
  if (apply !== "all" && apply !== "first")
    throw new Failure("bad-config-value", { file: "configuration", key: "degradation.apply", value: apply, expected: "all or first" });
  const rules: Rule[] = [];
  for (const rule of settings.gather("degradation.strategies")) rules.push(await readRule(registry, rule));
  return new CheckMethods(rules, apply === "first");
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
  return { checker: await registry.get("checker", method), conditions: new Map([...rule].filter(([key]) => key !== "method")) };
}

/** `collector` is the collector's name, `postprocessor` one of the names; any other key is a key of the header. */
function fits(conditions: Settings, { fixed, steps }: Run): boolean {
  return [...conditions].every(([key, value]) => {
    const wanted = settingText(value);
    if (key === "collector" || key === "postprocessor") return steps.some((step) => step.kind === key && same(step.name, wanted));
    return String(fixed.get(key) ?? "") === wanted;
  });
}

/** Perun writes names of units with hyphens or underscores. */
function same(name: string, wanted: string | undefined): boolean {
  return name.replaceAll("-", "_") === wanted?.replaceAll("-", "_");
}
