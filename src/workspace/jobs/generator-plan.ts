import { Failure } from "../../core/failures/failure.ts";
import { isSettings, settingAt, settingFlag, settingText, type Setting } from "../../core/values/setting.ts";
import type { Values } from "../../core/values/value.ts";
import type { Generator } from "../../plugins/generators/generator.ts";
import { optionsOf } from "../plugins/plugin-options.ts";
import type { Registry } from "../plugins/registry.ts";

/** A generator as an entry of `generators.workload` describes it. */
export interface PlannedGenerator {
  readonly id: string;
  readonly generator: Generator;
  readonly options: Values;
  /** A profile for each workload; otherwise all go into one. */
  readonly forEach: boolean;
}

/** What every entry has besides the options of its generator. */
const ownKeys = ["id", "type", "profile-for-each-workload"];

/** The entry that a workload names, if it names one. */
export function generatorNamed(entries: readonly Setting[], workload: string): Setting | undefined {
  return entries.find((entry) => workload !== "" && settingText(settingAt(entry, "id")) === workload);
}

/**
 * Reads an entry of `generators.workload`. Fails with `bad-config`, `unknown-plugin`, `unknown-collector-option` and
 * `bad-collector-option`.
 */
export async function planGenerator(registry: Registry, id: string, entry: Setting): Promise<PlannedGenerator> {
  const type = settingText(settingAt(entry, "type"));
  if (!isSettings(entry) || type === undefined) throw bad(`'${id}' has no type`);
  const given = new Map([...entry].map(([key, value]) => [key.replaceAll("_", "-").toLowerCase(), value]));
  const each = given.get("profile-for-each-workload") ?? false;
  const forEach = settingFlag(each);
  if (forEach === undefined) throw bad(`profile_for_each_workload of '${id}' is neither yes nor no`);
  const generator = await registry.get("generator", type);
  const own = [...given].filter(([key]) => !ownKeys.includes(key));
  const options = optionsOf(generator, new Map(own.map(([key, value]) => [generator.spellings[key] ?? key, value])));
  return { id, generator, options, forEach };
}

function bad(reason: string): Failure {
  return new Failure("bad-config", {
    file: "generators.workload",
    reason,
    instead: "write - {id: sizes, type: integer, min_range: 1, max_range: 9}",
  });
}
