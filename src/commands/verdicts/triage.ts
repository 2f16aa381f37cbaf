import { Failure, isFailure } from "../../core/failures/index.ts";
import {
  positionOf,
  scopeText,
  type TriageEntry,
  type TriageScope,
  type TriageState,
} from "../../core/verdicts/index.ts";
import { printTriageLine, triageEntries, withEntry } from "../../formats/store/index.ts";
import { renamedKeys } from "../../query/triage/index.ts";
import { readTriage, triageName, triagePath, writeTriage } from "../../workspace/verdicts/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { orderOf, History } from "../history/index.ts";

/** An entry and its line number, from 1. */
export interface ListedEntry extends TriageEntry {
  readonly line: number;
}

export interface AddTriageOptions {
  readonly key: string;
  readonly state: TriageState;
  /** `*`, a revision, or a range `A..B`; absent for renamed subjects. */
  readonly at?: string;
  /** New key of a renamed subject. */
  readonly to?: string;
  readonly note: string;
}

/** A problem in the file, with its line number. */
export interface TriageProblem {
  readonly line: number;
  readonly problem: string;
}

/** All entries in file order without duplicates. Fails with `bad-triage`. */
export async function listTriage(workspace: Workspace): Promise<ListedEntry[]> {
  const { lines } = await readTriage(workspace);
  const listed = lines.flatMap(({ entry }, at) => (entry === null ? [] : [{ ...entry, line: at + 1 }]));
  const seen = new Set<string>();
  return listed.filter((entry) => !seen.has(printTriageLine(entry)) && seen.add(printTriageLine(entry)));
}

/**
 * Adds an entry to the file, sorted by key; returns its line and whether it is new. Commits nothing. Fails with
 * `not-a-repository`, `unknown-revision`, `unusable-combination`, `circular-names`, `bad-triage`, `cannot-write`.
 */
export async function addTriage(
  workspace: Workspace,
  options: AddTriageOptions,
): Promise<{ readonly text: string; readonly isNew: boolean }> {
  const path = await triagePath(workspace);
  if (path === null) throw new Failure("not-a-repository", { path: workspace.world.directory });
  const entry = { ...options, to: options.to ?? null, scope: await scopeOf(workspace, options) };
  const before = await readTriage(workspace);
  const after = withEntry(before, entry);
  renamedKeys(triageEntries(after), triageName);
  if (after !== before) writeTriage(path, after);
  return { text: printTriageLine(entry), isNew: after !== before };
}

async function scopeOf(workspace: Workspace, { key, state, at, to }: AddTriageOptions): Promise<TriageScope> {
  if (key === "" || to === "") throw unusable("the key is empty", "name it as perfkeep check prints it");
  if (state === "renamed") {
    if (to === undefined) throw unusable("a renamed subject has a new key", "add --to KEY");
    if (at !== undefined && at !== "*") throw unusable("a rename applies to every commit", "leave out --at");
    return { kind: "any" };
  }
  if (to !== undefined) throw unusable(`--to belongs to renamed, not to ${state}`, "leave it out");
  if (at === undefined) throw unusable(`no commit is given for ${state}`, "add --at REV, --at A..B, or --at '*'");
  if (at === "*" && state === "went-away") throw unusable("went-away requires a commit", "add --at REV");
  return at === "*" ? { kind: "any" } : versionsOf(workspace, at);
}

async function versionsOf(workspace: Workspace, words: string): Promise<TriageScope> {
  const dots = words.indexOf("..");
  if (dots < 0) return { kind: "version", version: await workspace.version(words) };
  const [from, to] = [words.slice(0, dots), words.slice(dots + 2)];
  if (from === "" && to === "") throw unusable("a range has an end", "write A..B, A.. or ..B, or * for every commit");
  const idOf = async (word: string): Promise<string | null> => (word === "" ? null : workspace.version(word));
  return { kind: "range", after: await idOf(from), until: await idOf(to) };
}

function unusable(what: string, instead: string): Failure {
  return new Failure("unusable-combination", { what, instead });
}

/**
 * Reports contradictory entries and commits that the repository does not have. Fails with `bad-triage`,
 * `circular-names`.
 */
export async function checkTriage(workspace: Workspace): Promise<TriageProblem[]> {
  const entries = await listTriage(workspace);
  renamedKeys(entries, triageName);
  return [...contradictions(entries), ...(await unknownVersions(workspace, entries))].toSorted(
    (a, b) => a.line - b.line,
  );
}

function contradictions(entries: readonly ListedEntry[]): TriageProblem[] {
  const first = new Map<string, ListedEntry>();
  return entries.flatMap((entry) => {
    if (entry.state === "renamed") return [];
    const of = JSON.stringify([entry.key, scopeText(entry.scope)]);
    const other = first.get(of) ?? entry;
    first.set(of, other);
    if (other.state === entry.state) return [];
    return [
      {
        line: entry.line,
        problem: `it is ${entry.state} here and ${other.state} in line ${other.line}, for the same commits`,
      },
    ];
  });
}

async function unknownVersions(workspace: Workspace, entries: readonly ListedEntry[]): Promise<TriageProblem[]> {
  const named = entries.flatMap(({ scope, line }) => boundsOf(scope).map((id) => ({ id, line })));
  if (named.length === 0) return [];
  const { order } = await orderOf(new History(workspace), undefined);
  const problems: TriageProblem[] = [];
  for (const { id, line } of named)
    if (positionOf(order, id) < 0 && !(await isVersion(workspace, id)))
      problems.push({ line, problem: `there is no commit ${id} in the repository` });
  return problems;
}

function boundsOf(scope: TriageScope): string[] {
  if (scope.kind === "any") return [];
  return scope.kind === "version" ? [scope.version] : [scope.after, scope.until].filter((id) => id !== null);
}

/** The commit may be on another branch than the head's. */
async function isVersion(workspace: Workspace, id: string): Promise<boolean> {
  try {
    return (await workspace.version(id)).startsWith(id);
  } catch (error) {
    if (isFailure(error, "unknown-revision")) return false;
    throw error;
  }
}
