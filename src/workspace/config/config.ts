import { join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { isSettings, settingAt, settingFlag, settingList, settingText, type Setting } from "../../core/values/index.ts";
import { knownKeys, keyAliases } from "./keys.ts";
import { readConfigFile } from "./config-file.ts";

/** One layer of the configuration. `path` is null for runtime options and built-in defaults. */
export interface ConfigLayer {
  readonly name: "runtime" | "local" | "shared" | "default";
  readonly path: string | null;
  readonly root: Setting;
}

/** Paths of the configuration files of a workspace; they need not exist. */
export interface ConfigPaths {
  /** `.perun/local.yml` of the instance, or null outside of one. */
  readonly local: string | null;
  readonly shared: string;
}

/** The shared file: `$PERUN_CONFIG_DIR/shared.yml`, else `~/.config/perun/shared.yml`, as in Perun. */
export function sharedConfigPath(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(environment["PERUN_CONFIG_DIR"] || join(home, ".config", "perun"), "shared.yml");
}

/**
 * Reads the files; never creates one. Fails with `bad-config`. `runtime` holds settings from options of this process,
 * by dotted key.
 */
export async function openConfig(
  paths: ConfigPaths,
  runtime: ReadonlyMap<string, Setting> = new Map(),
): Promise<Config> {
  const [local, shared] = await Promise.all([
    paths.local === null ? null : readConfigFile(paths.local),
    readConfigFile(paths.shared),
  ]);
  return new Config(
    [
      { name: "local", path: paths.local, root: local },
      { name: "shared", path: paths.shared, root: shared },
    ],
    runtime,
  );
}

/** The layered configuration; runtime overrides local, local overrides shared, shared overrides defaults. */
export class Config {
  readonly layers: readonly ConfigLayer[];
  readonly #runtime: ReadonlyMap<string, Setting>;

  readonly #hasDefaults: boolean;

  constructor(layers: readonly ConfigLayer[], runtime: ReadonlyMap<string, Setting> = new Map(), hasDefaults = true) {
    this.layers = layers;
    this.#runtime = runtime;
    this.#hasDefaults = hasDefaults;
  }

  /** The value of the first layer that has the key, with the layer; undefined if none has. */
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

  /** A single layer; `shared` includes the defaults. */
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
   * Concatenates the lists of all layers, as Perun reads degradation.strategies and generators.workload. The default
   * (or `otherwise`) applies if the shared file lacks the key.
   */
  gather(key: string, otherwise: Setting | undefined = knownKeys.get(key)?.default): readonly Setting[] {
    requireKey(key);
    const match = [this.#runtime.get(key), ...this.layers.map((layer) => valueInLayer(layer, key))];
    if (match.at(-1) === undefined) match.push(otherwise);
    return match.flatMap(settingList);
  }

  /** The text of a key; `otherwise` if it is unset or empty. Fails with `bad-config-value` for a list or section. */
  text(key: string, otherwise = ""): string {
    const match = this.find(key);
    if (match === undefined || match.value === null) return otherwise;
    return settingText(match.value) ?? this.#refuse(key, match, "a text");
  }

  /** A boolean in Perun's spellings. Fails with `bad-config-value` for anything else. */
  flag(key: string): boolean {
    const match = this.find(key);
    if (match === undefined || match.value === null) return false;
    return settingFlag(match.value) ?? this.#refuse(key, match, "yes or no");
  }

  /** A list of texts; a single text is a list of one. Fails with `bad-config-value` if it holds sections. */
  texts(key: string): readonly string[] {
    const match = this.find(key);
    return match === undefined
      ? []
      : settingList(match.value).map((item) => settingText(item) ?? this.#refuse(key, match, "a list of texts"));
  }

  #refuse(key: string, match: { readonly value: Setting; readonly layer: ConfigLayer }, expected: string): never {
    const value = isSettings(match.value)
      ? "a section"
      : Array.isArray(match.value)
        ? "a list"
        : (settingText(match.value) ?? "nothing");
    throw new Failure("bad-config-value", { file: match.layer.path ?? match.layer.name, key, value, expected });
  }
}

/** Fails with `bad-config-key` unless `key` consists of words of letters, digits and `_` joined by dots. */
export function requireKey(key: string): void {
  if (key.length > 200 || !/^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/.test(key))
    throw new Failure("bad-config-key", { key });
}

function valueInLayer(layer: ConfigLayer, key: string): Setting | undefined {
  const other = keyAliases.get(key);
  return settingAt(layer.root, key) ?? (other === undefined ? undefined : settingAt(layer.root, other));
}
