import type { Settings } from "../../core/values/setting.ts";
import { formatValue } from "../../core/values/value.ts";
import type { ImportHow } from "../../formats/store/experiments/ledger-import.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";

/** Options of an importer that the user gave, as texts. Fails like `optionsOf`. */
export function givenOptions(importer: Importer, params: Settings = new Map()): Pick<ImportHow, "options"> {
  const values = optionsOf(importer, params);
  const given = importer.options.flatMap(({ name, type, default: otherwise = null }): [string, string][] => {
    const value = values.get(name) ?? null;
    return value === null || value === otherwise ? [] : [[name, formatValue(value, type)]];
  });
  return given.length === 0 ? {} : { options: given };
}
