import type { Checker } from "./checkers/checker.ts";
import type { Collector } from "./collectors/collector.ts";
import type { EnginePlugin } from "./engines/engine.ts";
import type { Importer } from "./importers/importer.ts";
import type { Renderer } from "./renderers/renderer.ts";
import type { VcsPlugin } from "./vcs/vcs.ts";
import type { View } from "./views/view.ts";

/** The kinds of plug-ins and their contracts. */
export interface PluginOf {
  vcs: VcsPlugin;
  engine: EnginePlugin;
  collector: Collector;
  importer: Importer;
  checker: Checker;
  view: View;
  renderer: Renderer;
}

/** A built-in plug-in: known by name from the start, loaded when it is asked for. */
export interface BuiltIn<K extends keyof PluginOf = keyof PluginOf> {
  readonly kind: K;
  readonly name: string;
  readonly aliases?: readonly string[];
  load(): Promise<PluginOf[K]>;
}

/** The one list of built-ins. */
export const builtins: readonly BuiltIn[] = [
  { kind: "vcs", name: "git", load: async () => (await import("./vcs/git.ts")).git },

  { kind: "engine", name: "duckdb", load: async () => (await import("./engines/duckdb.ts")).duckdb },
];
