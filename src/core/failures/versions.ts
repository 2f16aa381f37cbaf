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
    remedy: () => `change into the working tree of a repository, or make one with perfkeep init --vcs-type=git`,
  },
  "repository-not-trusted": {
    exit: "untrusted",
    message: (d) => `git refuses the repository ${d.path}: ${d.reason}`,
    remedy: (d) => `if you trust its owner: git config --global --add safe.directory ${d.path}`,
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
    remedy: () => `correct --vcs-param and --vcs-flag, or make the repository with git init`,
  },
  "vcs-failed": {
    exit: "host",
    message: (d) => `git ${d.command} failed in ${d.path}: ${d.reason}`,
    remedy: (d) => `run git fsck in ${d.path}; perfkeep changed nothing`,
  },
  "worktree-failed": {
    exit: "host",
    message: (d) => `no worktree of ${d.version} at ${d.path}: ${d.reason}`,
    remedy: (d) => `${d.remedy ?? "free space or choose another place with TMPDIR, then try again; nothing was left behind"}`,
  },
  "worktree-left": {
    exit: "host",
    message: (d) => `${d.path} could not be removed: ${d.reason}`,
    remedy: () => `free it, then run perfkeep recover`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
