import type { VersionId } from "../../core/versions/index.ts";
import type { VersionGraph } from "./version-graph.ts";

/** Finds the versions that may have caused a change between two measured ones. */
export class Suspects {
  readonly #graph: VersionGraph;
  readonly #known = new Map<string, readonly VersionId[]>();

  constructor(graph: VersionGraph) {
    this.#graph = graph;
  }

  /**
   * The ancestors of `after` that are not ancestors of `before`, the oldest first, including merged branches. `after`
   * alone if history lacks either.
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
