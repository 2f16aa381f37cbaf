import { abbreviate } from "../../core/versions/index.ts";
import { statisticNames } from "../../core/variables/index.ts";
import { inTagOrder, type ListedProfile } from "../../core/profiles/index.ts";
import { knownKeys } from "../../workspace/config/index.ts";
import { experimentNames, experimentVariables } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Kinds of plug-ins that can be named on the command line. */
const pluginKinds = ["checker", "collector", "detector", "importer", "postprocessor", "reader", "vcs", "view"] as const;

/**
 * What a word of the command line can name. `pending` and `registered`: profile tags; `key`: configuration key;
 * `variable`: variable of an experiment.
 */
export type CandidateKind =
  | (typeof pluginKinds)[number]
  | ("experiment" | "key" | "parameter" | "pending" | "registered" | "revision" | "statistic" | "variable");

/** A completion and its description. */
export interface Candidate {
  readonly word: string;
  readonly synopsis: string;
}

/** Number of latest commits to offer. */
const maxCommits = 20;

/**
 * All candidates of a kind; variables and parameters need `experiment`. Reads only; does not load user plug-ins if the
 * workspace was opened without them. Fails like the underlying readers.
 */
export async function completionCandidates(
  workspace: Workspace,
  kind: CandidateKind,
  experiment?: string,
): Promise<readonly Candidate[]> {
  if (kind === "experiment")
    return (await experimentNames(workspace)).map((word) => ({ word, synopsis: "experiment" }));
  if (kind === "key") return [...knownKeys.keys()].map((word) => ({ word, synopsis: "" }));
  if (kind === "pending") return tags(workspace.pending(), "p", workspace);
  if (kind === "registered") return tags(workspace.registered(await workspace.version()), "i", workspace);
  if (kind === "variable" || kind === "parameter")
    return experiment === undefined ? [] : variables(workspace, experiment, kind);
  if (kind === "statistic") return [...statisticNames, "q95"].map((word) => ({ word, synopsis: "" }));
  if (kind === "revision") return revisions(workspace);
  return plugins(workspace, kind);
}

async function tags(profiles: readonly ListedProfile[], letter: "i" | "p", workspace: Workspace): Promise<Candidate[]> {
  const ordered = inTagOrder(profiles, await workspace.profileSortKey());
  return ordered.map(({ name, type }, at) => ({ word: `${at}@${letter}`, synopsis: `${type}: ${name}` }));
}

async function variables(
  workspace: Workspace,
  experiment: string,
  kind: "variable" | "parameter",
): Promise<Candidate[]> {
  const all = (await experimentVariables(workspace, experiment)).filter(
    ({ role }) => kind === "variable" || role === kind,
  );
  return all.map(({ name, role, synopsis }) => ({ word: name, synopsis: synopsis ?? role }));
}

async function revisions(workspace: Workspace): Promise<Candidate[]> {
  const vcs = await workspace.vcs();
  const candidates: Candidate[] = [{ word: "HEAD", synopsis: "the head" }];
  for await (const { name } of vcs.majors()) candidates.push({ word: name, synopsis: "branch" });
  for await (const { name } of vcs.tags()) candidates.push({ word: name, synopsis: "tag" });
  for await (const { id, description } of vcs.walk(await vcs.head(), maxCommits))
    candidates.push({ word: abbreviate(id), synopsis: description.split("\n", 1)[0] ?? "" });
  return candidates;
}

async function plugins({ registry }: Workspace, kind: (typeof pluginKinds)[number]): Promise<Candidate[]> {
  return registry.names(kind).map((word) => ({ word, synopsis: kind }));
}
