import type { VersionId } from "../../core/versions/index.ts";
import type { VersionGraph } from "../history/index.ts";
import type { Suspects } from "./next-move.ts";

/** Commits in order; the first is good, the last is bad. */
export type VersionLine = readonly VersionId[];

/** Result of searching one line. */
export interface LineEnding {
  /** unmeasurable: an end of the line cannot be measured. */
  readonly kind: "found" | "alike" | "stopped" | "unmeasurable";
  readonly line: VersionLine;
  /** Positions in the line. found: one group; stopped: the credible groups; else all candidates. */
  readonly suspects: readonly Suspects[];
}

/** Searches a line for its first bad commit, which has to be right with probability `confidence`. */
export type LineSearch = (line: VersionLine, confidence: number) => Promise<LineEnding>;

export interface NestedEnding {
  /** narrowed: one of the suspects is the first bad commit, but measurements cannot tell which one. */
  readonly kind: "found" | "narrowed" | "alike" | "stopped";
  /** Most probable first. Commits that cannot be distinguished share a probability. */
  readonly suspects: readonly { readonly version: VersionId; readonly probability: number }[];
  /** Probability that the first bad commit is among the suspects. */
  readonly probability: number;
  /** The merges that the search entered, from the outermost to the innermost. */
  readonly merges: readonly VersionId[];
  /** The last search that found a step; undefined: none did. */
  readonly found: LineEnding | undefined;
  /** Why a merge that was found to be bad could not be searched. */
  readonly obstacle: "alike" | "unmeasurable" | null;
}

/** Commits that have `bad` as a descendant and are not ancestors of `good`: all that may have made the change. */
export function candidatesBetween(graph: VersionGraph, good: VersionId, bad: VersionId): VersionId[] {
  const before = graph.ancestors(good);
  return [...graph.ancestors(bad)].filter((id) => !before.has(id));
}

/** The first-parent history from `good` to `bad`: merged commits are represented by their merge. */
export function lineBetween(graph: VersionGraph, good: VersionId, bad: VersionId): VersionLine {
  const before = graph.ancestors(good);
  return [good, ...[...graph.firstParents(bad)].filter((id) => !before.has(id)).reverse()];
}

/**
 * Finds the first bad commit of a history with merges. The first-parent line is searched first. When its first bad
 * commit is a merge, each branch that it merged is searched in turn, from the branch point to the merge, and so on for
 * merges within the branch. The allowed error `1 - confidence` is spent over all levels together.
 */
export async function searchNested(
  graph: VersionGraph,
  ends: { readonly good: VersionId; readonly bad: VersionId; readonly confidence: number },
  search: LineSearch,
): Promise<NestedEnding> {
  const nested = new NestedSearch(graph, ends.good, 1 - ends.confidence, search);
  return nested.run(lineBetween(graph, ends.good, ends.bad));
}

class NestedSearch {
  readonly #graph: VersionGraph;
  readonly #search: LineSearch;
  /** Ancestors of commits found to be good. */
  readonly #good: Set<VersionId>;
  readonly #merges: VersionId[] = [];
  /** Error that the remaining levels may spend. */
  #allowance: number;
  #probability = 1;
  #found: LineEnding | undefined;

  constructor(graph: VersionGraph, good: VersionId, allowance: number, search: LineSearch) {
    this.#graph = graph;
    this.#search = search;
    this.#good = graph.ancestors(good);
    this.#allowance = allowance;
  }

  async run(mainline: VersionLine): Promise<NestedEnding> {
    let ending = await this.#level(mainline, this.#isMerge(mainline.at(-1)!));
    if (ending.kind === "alike") return this.#ended("alike", [], 0);
    for (;;) {
      if (ending.kind === "stopped") return this.#suspectsIn("stopped", ending);
      if (ending.kind !== "found") return this.#unsearchable(ending.line.at(-1)!, ending.kind);
      this.#found = ending;
      const culprit = culpritOf(ending);
      if (culprit === undefined) return this.#suspectsIn("narrowed", ending);
      const inner = await this.#enter(culprit);
      if (inner === undefined) return this.#ended("found", [culprit], this.#probability);
      ending = inner;
    }
  }

  /** Searches the branches of a merge until one has the change; undefined: no branch has it, or it is no merge. */
  async #enter(merge: VersionId): Promise<LineEnding | undefined> {
    const [main, ...sides] = this.#graph.get(merge)?.parents ?? [];
    if (main === undefined) return undefined;
    this.#learnGood(main);
    this.#merges.push(merge);
    for (const [at, side] of sides.entries()) {
      const line = this.#lineInto(merge, main, side);
      if (line === undefined) continue;
      const ending = await this.#level(line, at < sides.length - 1);
      if (ending.kind !== "found" || culpritOf(ending) !== merge) return ending;
      this.#learnGood(side);
    }
    this.#merges.pop();
    return undefined;
  }

  /** From the branch point over the commits that only the branch has to the merge; undefined: it has none. */
  #lineInto(merge: VersionId, main: VersionId, side: VersionId): VersionLine | undefined {
    const own = [...this.#graph.firstParents(side)].filter((id) => !this.#good.has(id)).reverse();
    const [first] = own;
    if (first === undefined) return undefined;
    const base = this.#graph.get(first)?.parents[0];
    return [base !== undefined && this.#graph.has(base) ? base : main, ...own, merge];
  }

  /** Searches a line; half of the allowed error is saved if a deeper search may follow. */
  async #level(line: VersionLine, mayGoOn: boolean): Promise<LineEnding> {
    const isLast = !mayGoOn && !line.slice(1, -1).some((id) => this.#isMerge(id));
    const ending = await this.#search(line, 1 - this.#allowance * (isLast ? 1 : 0.5));
    if (ending.kind !== "found") return ending;
    const probability = ending.suspects[0]?.probability ?? 0;
    this.#probability *= probability;
    this.#allowance -= 1 - probability;
    return ending;
  }

  #isMerge(id: VersionId): boolean {
    return (this.#graph.get(id)?.parents.length ?? 0) > 1;
  }

  #learnGood(id: VersionId): void {
    for (const each of this.#graph.ancestors(id)) this.#good.add(each);
  }

  /** A merge whose branch cannot be searched: it or one of the merged commits made the change. */
  #unsearchable(merge: VersionId, obstacle: "alike" | "unmeasurable"): NestedEnding {
    return { ...this.#ended("narrowed", [merge, ...this.#merged(merge)], this.#probability), obstacle };
  }

  #ended(kind: NestedEnding["kind"], versions: readonly VersionId[], probability: number): NestedEnding {
    const suspects = versions.map((version) => ({ version, probability }));
    return { kind, suspects, probability, merges: this.#merges, found: this.#found, obstacle: null };
  }

  /** The suspects of a line, each merge with the commits that it brought in. */
  #suspectsIn(kind: "narrowed" | "stopped", { line, suspects }: LineEnding): NestedEnding {
    const seen = new Set<VersionId>();
    let sum = 0;
    const all = suspects.flatMap((group) => {
      const probability = kind === "narrowed" ? this.#probability : this.#probability * group.probability;
      sum += probability;
      const versions = line.slice(group.from, group.to + 1).flatMap((id) => [id, ...this.#merged(id)]);
      const fresh = [...new Set(versions)].filter((id) => !seen.has(id));
      for (const id of fresh) seen.add(id);
      return fresh.map((version) => ({ version, probability }));
    });
    return { ...this.#ended(kind, [], sum), suspects: all };
  }

  /** Commits that a merge brought in and that are not known to be good. */
  #merged(id: VersionId): VersionId[] {
    if (!this.#isMerge(id)) return [];
    const [main, ...sides] = this.#graph.get(id)!.parents;
    const before = this.#graph.ancestors(main!);
    const brought = new Set(sides.flatMap((side) => [...this.#graph.ancestors(side)]));
    return [...brought].filter((each) => !before.has(each) && !this.#good.has(each));
  }
}

/** The first bad commit of a line, if it is a single one. */
function culpritOf({ line, suspects: [group] }: LineEnding): VersionId | undefined {
  return group !== undefined && group.from === group.to ? line[group.to] : undefined;
}
