import type { VersionId } from "../../core/versions/digest.ts";
import type { VersionGraph } from "./version-graph.ts";

/** Which versions may have made a change that lies between two measured ones. */
export class Suspects {
  readonly #graph: VersionGraph;
  readonly #known = new Map<string, readonly VersionId[]>();

  constructor(graph: VersionGraph) {
    this.#graph = graph;
  }

  /**
   * Those that `after` comes from and `before` does not, the oldest first: what a merge brought in as well. Where
   * history knows neither, `after` alone.
   */
  between(before: VersionId | null, after: VersionId): readonly VersionId[] {
    const key = `${before} ${after}`;
    const found = this.#known.get(key) ?? this.#walked(before, after);
    this.#known.set(key, found);
    return found;
  }

  #walked(before: VersionId | null, after: VersionId): VersionId[] {
    if (before === null || !this.#graph.has(before) || !this.#graph.has(after)) return [after];
    const old = this.#graph.ancestors(before);
    return this.#graph.inOrder(after).filter((id) => !old.has(id));
  }
}
