import type { FailureKind } from "./kind.ts";

/** Failures of the version control system. */
export const versionFailures = {
  "unknown-revision": {
    exit: "nothingMatched",
    message: (d) => `unknown revision '${d.revision}'${d.reason ? `: ${d.reason}` : ""}`,
    remedy: (d) => `${d.remedy ?? "perfkeep log lists the known versions"}`,
  },
  "no-versions-yet": {
    exit: "nothingMatched",
    message: (d) => `the repository ${d.path} has no versions yet`,
    remedy: () => `make the first commit, then try again`,
  },
  "not-a-repository": {
    exit: "usage",
    message: (d) => `${d.path} is in no ${d.type} repository${d.reason ? `: ${d.reason}` : ""}`,
    remedy: (d) => `change into the working tree of a repository, or make one with perfkeep init --vcs-type=${d.type}`,
  },
  "repository-not-trusted": {
    exit: "untrusted",
    message: (d) => `git refuses the repository ${d.path}: ${d.reason}`,
    remedy: (d) => `if you trust its owner: git config --global --add safe.directory ${d.path}`,
  },
  "bad-version-name": {
    exit: "usage",
    message: (d) => `'${d.name}' cannot name a ${d.kind}: ${d.reason}`,
    remedy: () => `choose another name: letters, digits, '.', '_', '/' and '-' within`,
  },
  "not-recorded-here": {
    exit: "usage",
    message: (d) => `versions of ${d.path} are made by ${d.type}, not by perfkeep`,
    remedy: (d) =>
      `use ${d.type} itself; perfkeep init --vcs-type=tagit makes a repository of snapshots where there is no other`,
  },
  "vcs-missing": {
    exit: "host",
    message: (d) => `the program ${d.program} was not found on PATH`,
    remedy: (d) => `install ${d.program} ${d.least} or newer`,
  },
  "vcs-too-old": {
    exit: "host",
    message: (d) => `${d.found} is too old`,
    remedy: (d) => `install ${d.program} ${d.least} or newer`,
  },
  "vcs-init-failed": {
    exit: "usage",
    message: (d) => `the repository ${d.path} could not be made: ${d.reason}`,
    remedy: (d) => `correct --vcs-param and --vcs-flag, or make the repository with ${d.program ?? "git"} init`,
  },
  "vcs-failed": {
    exit: "host",
    message: (d) => `${d.program} ${d.command} failed in ${d.path}: ${d.reason}`,
    remedy: (d) => `${d.remedy ?? `see what ${d.program} itself says in ${d.path}; perfkeep changed nothing`}`,
  },
  "worktree-failed": {
    exit: "host",
    message: (d) => `no worktree of ${d.version} at ${d.path}: ${d.reason}`,
    remedy: (d) =>
      `${d.remedy ?? "free space or choose another place with TMPDIR, then try again; nothing was left behind"}`,
  },
  "worktree-left": {
    exit: "host",
    message: (d) => `${d.path} could not be removed: ${d.reason}`,
    remedy: () => `free it, then run perfkeep recover`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
