import { Failure } from "../../core/failures/index.ts";
import {
  InvalidValue,
  isSettings,
  settingList,
  settingText,
  type Setting,
  type Settings,
  readValue,
  type Value,
  type Values,
} from "../../core/values/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { PluginInfo } from "../../plugins/plugin.ts";

/**
 * Options of a plug-in from the configuration or command line: checks names (`-` equals `_`), parses values by the type
 * of the option, adds defaults. Fails with `unknown-collector-option` and `bad-collector-option`.
 */
export function optionsOf(plugin: PluginInfo, given: Settings): Values {
  const values = new Map<string, Value>(plugin.options.map((option) => [option.name, option.default ?? null]));
  for (const [name, setting] of given) {
    const option = plugin.options.find((known) => known.name === name.replaceAll("_", "-").toLowerCase());
    if (!option) throw unknownOption(plugin, name);
    if (setting !== null) values.set(option.name, valueOf(plugin, option, textOf(option, setting)));
  }
  return values;
}

/**
 * A list becomes one line per item, for options with several values; a mapping (`{func: f, sample: 2}`) becomes a line
 * of its values.
 */
function textOf({ type }: Variable, setting: Setting): string {
  const texts = type === "text" ? settingList(setting).map(lineOf) : [settingText(setting)];
  return texts.every((text) => text !== undefined) ? texts.join("\n") : "";
}

function lineOf(setting: Setting): string | undefined {
  if (!isSettings(setting)) return settingText(setting);
  const texts = [...setting.values()].map(settingText);
  return texts.every((text) => text !== undefined) ? texts.join(" ") : undefined;
}

function valueOf(plugin: PluginInfo, option: Variable, text: string): Value {
  const value = readValue(text, option.type, option.size);
  const isAllowed = option.valid === undefined || (!(value instanceof InvalidValue) && option.valid.includes(value));
  if (!(value instanceof InvalidValue) && isAllowed) return value;
  const expected =
    value instanceof InvalidValue ? `a value of type ${option.type}` : `one of ${option.valid?.join(", ")}`;
  throw new Failure("bad-collector-option", {
    plugin: plugin.name,
    option: option.name,
    value: text.slice(0, 80),
    expected,
    example: exampleOf(option),
  });
}

function exampleOf(option: Variable): string {
  return String(option.default ?? option.valid?.[0] ?? (option.type === "boolean" ? "true" : "10"));
}

function unknownOption(plugin: PluginInfo, name: string): Failure {
  const known = plugin.options.map((option) => option.name);
  return new Failure("unknown-collector-option", {
    kind: plugin.kind,
    plugin: plugin.name,
    option: name.slice(0, 80),
    near: nearest(name, known)[0],
    known,
  });
}
