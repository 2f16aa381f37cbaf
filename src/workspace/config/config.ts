import { join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import {
  isSettings,
  settingAt,
  settingFlag,
  settingList,
  settingText,
  type Setting,
} from "../../core/values/setting.ts";
import { knownKeys, keyAliases } from "./keys.ts";
import { readConfigFile } from "./config-file.ts";

/**
 * One level of the configuration. `path` is null for what holds in this process only, and for the built-in defaults.
 */
export interface ConfigLayer {
  readonly name: "runtime" | "local" | "shared" | "default";
  readonly path: string | null;
  readonly root: Setting;
}

/** Where the configuration files of a workspace lie; they need not exist. */
export interface ConfigPaths {
  /** `.perun/local.yml` of the instance, or null outside of one. */
  readonly local: string | null;
  readonly shared: string;
}

/** The shared file: `$PERUN_CONFIG_DIR/shared.yml`, else `~/.config/perun/shared.yml`, as real Perun has it. */
export function sharedConfigPath(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(environment["PERUN_CONFIG_DIR"] || join(home, ".config", "perun"), "shared.yml");
}

/**
 * Reads the files; never creates one. Fails with `bad-config` naming the place. `runtime` holds what options of this
 * process set, by dotted key.
 */
export async function openConfig(
  places: ConfigPaths,
  runtime: ReadonlyMap<string, Setting> = new Map(),
): Promise<Config> {
  const [local, shared] = await Promise.all([
    places.local === null ? null : readConfigFile(places.local),
    readConfigFile(places.shared),
  ]);
  return new Config(
    [
      { name: "local", path: places.local, root: local },
      { name: "shared", path: places.shared, root: shared },
    ],
    runtime,
  );
}

/** The layered configuration: runtime before local before shared before defaults. */
export class Config {
  readonly layers: readonly ConfigLayer[];
  readonly #runtime: ReadonlyMap<string, Setting>;

  readonly #hasDefaults: boolean;

  constructor(layers: readonly ConfigLayer[], runtime: ReadonlyMap<string, Setting> = new Map(), hasDefaults = true) {
    this.layers = layers;
    this.#runtime = runtime;
    this.#hasDefaults = hasDefaults;
  }

  /** The value in the first layer that has the key, with the layer; undefined when none has. */
  find(key: string): { readonly value: Setting; readonly layer: ConfigLayer } | undefined {
    requireKey(key);
    const temporary = this.#runtime.get(key);
    if (temporary !== undefined) return { value: temporary, layer: { name: "runtime", path: null, root: temporary } };
    for (const layer of this.layers) {
      const value = valueInLayer(layer, key);
      if (value !== undefined) return { value, layer };
    }
    const value = this.#hasDefaults ? knownKeys.get(key)?.default : undefined;
    return value === undefined ? undefined : { value, layer: { name: "default", path: null, root: value } };
  }

  /** One file alone; the defaults stand below the shared one. */
  only(name: "local" | "shared"): Config {
    return new Config(
      this.layers.filter((layer) => layer.name === name),
      new Map(),
      name === "shared",
    );
  }

  lookup(key: string): Setting | undefined {
    return this.find(key)?.value;
  }

  /**
   * The lists of all layers, one after the other, as Perun reads degradation.strategies and generators.workload: a
   * local list adds to the shared one. The default counts where the shared file does not have the key.
   */
  gather(key: string): readonly Setting[] {
    requireKey(key);
    const found = [this.#runtime.get(key), ...this.layers.map((layer) => valueInLayer(layer, key))];
    if (found.at(-1) === undefined) found.push(knownKeys.get(key)?.default);
    return found.flatMap(settingList);
  }

  /**
   * The text of a key; `otherwise` when it is not set or has no value. Fails with `bad-config-value` for a list or
   * section.
   */
  text(key: string, otherwise = ""): string {
    const found = this.find(key);
    if (found === undefined || found.value === null) return otherwise;
    return settingText(found.value) ?? this.#refuse(key, found, "a text");
  }

  /** Yes or no in Perun's spellings. Fails with `bad-config-value` for anything else. */
  flag(key: string): boolean {
    const found = this.find(key);
    if (found === undefined || found.value === null) return false;
    return settingFlag(found.value) ?? this.#refuse(key, found, "yes or no");
  }

  /** A list of texts; a single text counts as a list of one. Fails with `bad-config-value` when it holds sections. */
  texts(key: string): readonly string[] {
    const found = this.find(key);
    return found === undefined
      ? []
      : settingList(found.value).map((item) => settingText(item) ?? this.#refuse(key, found, "a list of texts"));
  }

  #refuse(key: string, found: { readonly value: Setting; readonly layer: ConfigLayer }, expected: string): never {
    const value = isSettings(found.value)
      ? "a section"
      : Array.isArray(found.value)
        ? "a list"
        : (settingText(found.value) ?? "nothing");
    throw new Failure("bad-config-value", { file: found.layer.path ?? found.layer.name, key, value, expected });
  }
}

/** Fails with `bad-config-key` unless `key` is words of letters, digits and `_` joined by dots. */
export function requireKey(key: string): void {
  if (key.length > 200 || !/^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/.test(key))
    throw new Failure("bad-config-key", { key });
}

function valueInLayer(layer: ConfigLayer, key: string): Setting | undefined {
  const other = keyAliases.get(key);
  return settingAt(layer.root, key) ?? (other === undefined ? undefined : settingAt(layer.root, other));
}
