/** A value of a configuration file or of an option written in YAML. Mappings keep the order of their keys. */
export type Setting = null | boolean | number | string | readonly Setting[] | Settings;

export type Settings = ReadonlyMap<string, Setting>;

/** A setting with plain objects as mappings, for callers of the library. */
export type PlainSetting = null | boolean | number | string | readonly PlainSetting[] | PlainSettings;

export interface PlainSettings {
  readonly [name: string]: PlainSetting;
}

/** Converts plain objects to settings. */
export function settingsOf(plain: PlainSettings): Settings {
  return new Map(Object.entries(plain).map(([name, value]) => [name, settingOf(value)]));
}

function settingOf(plain: PlainSetting): Setting {
  if (plain === null || typeof plain !== "object") return plain;
  return isPlainList(plain) ? plain.map(settingOf) : settingsOf(plain);
}

function isPlainList(plain: object): plain is readonly PlainSetting[] {
  return Array.isArray(plain);
}

export function isSettings(value: Setting | undefined): value is Settings {
  return value instanceof Map;
}

/** The value at a dotted key, or undefined where there is none. */
export function settingAt(root: Setting | undefined, key: string): Setting | undefined {
  let value = root;
  for (const word of key.split(".")) value = isSettings(value) ? value.get(word) : undefined;
  return value;
}

/** A scalar as text; null, lists and mappings have none. */
export function settingText(value: Setting | undefined): string | undefined {
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}

/** A list unchanged, a single value as a list of one, nothing as an empty list. */
export function settingList(value: Setting | undefined): readonly Setting[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly Setting[]) : [value];
}

/** Parses lines `NAME=VALUE`; several lines with one name make a list. undefined if a line has another form. */
export function settingsIn(lines: readonly string[]): Settings | undefined {
  const settings = new Map<string, readonly string[]>();
  for (const line of lines) {
    const at = line.indexOf("=");
    if (at < 1) return undefined;
    const name = line.slice(0, at).trim();
    settings.set(name, [...(settings.get(name) ?? []), line.slice(at + 1).trim()]);
  }
  return settings;
}

/** The inverse of `settingsIn`; settings without a text have an empty value. */
export function settingLines(settings: Settings): string[] {
  return [...settings].flatMap(([name, value]) =>
    settingList(value).map((each) => `${name}=${settingText(each) ?? ""}`),
  );
}

const words: ReadonlyMap<string, boolean> = new Map([
  ...["y", "yes", "t", "true", "on", "1"].map((word) => [word, true] as const),
  ...["n", "no", "f", "false", "off", "0"].map((word) => [word, false] as const),
]);

/** Yes or no in the spellings that Perun accepts; undefined for anything else. */
export function settingFlag(value: Setting | undefined): boolean | undefined {
  return words.get(settingText(value)?.toLowerCase() ?? "");
}
