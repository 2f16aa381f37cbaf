import type { VersionId, MinorVersion } from "../../core/versions/index.ts";

/** A graph of versions and their parents. Walks are iterative: histories can exceed the stack. */
export class VersionGraph {
  readonly #versions = new Map<VersionId, MinorVersion>();

  add(versions: Iterable<MinorVersion>): void {
    for (const version of versions) this.#versions.set(version.id, version);
  }

  has(id: VersionId): boolean {
    return this.#versions.has(id);
  }

  get(id: VersionId): MinorVersion | undefined {
    return this.#versions.get(id);
  }

  /** The version and all its ancestors. */
  ancestors(head: VersionId): Set<VersionId> {
    const found = new Set<VersionId>();
    const open = [head];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (found.has(id) || !this.#versions.has(id)) continue;
      found.add(id);
      open.push(...this.#parents(id));
    }
    return found;
  }

  /**
   * The ancestors of `after` that are no ancestors of `before`; undefined unless all of them are known. A walk from
   * `after` may end then, if it lists children before their parents.
   */
  difference(before: VersionId, after: VersionId): ReadonlySet<VersionId> | undefined {
    if (!this.has(before) || !this.has(after)) return undefined;
    const old = this.ancestors(before);
    const beyond = new Set([...old].flatMap((id) => this.#parents(id)));
    const found = new Set<VersionId>();
    const open = [after];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (found.has(id) || old.has(id) || beyond.has(id)) continue;
      if (!this.has(id)) return undefined;
      found.add(id);
      open.push(...this.#parents(id));
    }
    return found;
  }

  /** The version, its first parent, the first parent of that, …: the mainline of the branch. */
  firstParents(head: VersionId): Set<VersionId> {
    const found = new Set<VersionId>();
    for (
      let id: VersionId | undefined = head;
      id !== undefined && this.#versions.has(id) && !found.has(id);
      id = this.#parents(id)[0]
    )
      found.add(id);
    return found;
  }

  /**
   * All ancestors from the oldest to `head`: parents before children, the first-parent line before merged commits,
   * which come right before the merge. Dates are ignored, since they may be wrong.
   */
  inOrder(head: VersionId): VersionId[] {
    const order: VersionId[] = [];
    const entered = new Set<VersionId>();
    const open: { readonly id: VersionId; next: number }[] = [];
    const enter = (id: VersionId): void => {
      if (entered.has(id) || !this.#versions.has(id)) return;
      entered.add(id);
      open.push({ id, next: 0 });
    };
    enter(head);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const parent = this.#parents(top.id)[top.next++];
      if (parent !== undefined) enter(parent);
      else order.push((open.pop() ?? top).id);
    }
    return order;
  }

  #parents(id: VersionId): readonly VersionId[] {
    return this.#versions.get(id)?.parents ?? [];
  }
}
