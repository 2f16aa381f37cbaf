import { Failure } from "../../core/failures/index.ts";
import { settingList, settingText, type Setting, type Settings, type Values } from "../../core/values/index.ts";
import type { Postprocessor } from "../../plugins/postprocessors/postprocessor.ts";
import { optionsOf } from "./plugin-options.ts";

/**
 * Options of a postprocessor from the configuration or command line, under its own names or Perun's (`depending_on`).
 * Fails with `unknown-collector-option`, `bad-collector-option`, and with `unusable-combination` for an option of
 * another mode.
 */
export function postprocessorOptions(unit: Postprocessor, given: Settings): Values {
  const renamed = new Map([...given].map(([name, value]) => namedOption(unit, name, value)));
  const options = optionsOf(unit, renamed);
  refuseOtherModes(unit, renamed, String(options.get(unit.modes?.option ?? "") ?? ""));
  return options;
}

function namedOption(
  { spellings, repeated = [] }: Postprocessor,
  written: string,
  value: Setting,
): readonly [string, Setting] {
  const normalized = written.replaceAll("_", "-").toLowerCase();
  const [own = normalized, ...others] = spellings[`--${normalized}`] ?? [];
  const name = others.length === 0 && !own.startsWith("--") ? own : normalized;
  return [
    name,
    repeated.includes(name) && Array.isArray(value) ? settingList(value).map(settingText).join(",") : value,
  ];
}

/** An option of another mode would have no effect. */
function refuseOtherModes({ name, modes }: Postprocessor, given: Settings, mode: string): void {
  const own = modes?.of.get(mode) ?? [];
  const others = new Set([...(modes?.of.values() ?? [])].flat());
  const foreign = [...given.keys()].find((option) => others.has(option) && !own.includes(option));
  if (foreign === undefined) return;
  const owners = [...(modes?.of ?? [])].filter(([, options]) => options.includes(foreign)).map(([of]) => of);
  throw new Failure("unusable-combination", {
    what: `${name} ${mode} has no option ${foreign}`,
    instead: `use it with ${owners.join(", ")}`,
  });
}
