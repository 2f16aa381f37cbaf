import type { FailureKind } from "./kind.ts";

/** Failures of profiles: format, origin, look-up. */
export const profileFailures = {
  "not-a-profile": {
    exit: "badInput",
    message: (d) => `${d.file}: not a profile: ${d.reason}`,
    remedy: () => `a profile is one JSON object with a header and resources`,
  },
  "not-numbers": {
    exit: "nothingMatched",
    message: (d) => `no row has a number in ${Array.isArray(d.columns) ? d.columns.join(" and in ") : d.columns}`,
    remedy: () => `name other columns with --per-key and --of-key; perfkeep show PROFILE tableof resources lists them`,
  },
  "not-json": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}:${d.column}: not JSON: ${d.reason}`,
    remedy: () => `correct the file at that position, or write it again with the program that created it`,
  },
  "not-perf-script": {
    exit: "badInput",
    message: (d) => `${d.file}: no samples of perf script`,
    remedy: () => `create it with perf script; it needs at least the fields comm, tid, and time or event`,
  },
  "bad-stack-profile": {
    exit: "badInput",
    message: (d) => `${d.file}: invalid or incomplete ${d.format} profile: ${d.reason}`,
    remedy: () => `copy the file again, or write it again with the program that created it`,
  },
  "needs-perf-script": {
    exit: "badInput",
    message: (d) => `${d.file} cannot be read without perf: ${d.reason}`,
    remedy: (d) => `install perf, or where perf is: perf script -i ${d.file} > ${d.file}.txt, and read that text`,
  },
  "no-stacks": {
    exit: "badInput",
    message: (d) => `${d.file}: no stacks of format ${d.what}`,
    remedy: () => `if it has another format, name it with --from`,
  },
  "unknown-value-type": {
    exit: "usage",
    message: (d) => `${d.file} has no quantity '${d.type}'`,
    remedy: (d) => `choose one with --type: ${Array.isArray(d.choices) ? d.choices.join(", ") : d.choices}`,
  },
  "not-v8-profile": {
    exit: "badInput",
    message: (d) => `${d.file}: not a V8 profile: ${d.reason}`,
    remedy: () => `create it with node --cpu-prof or --heap-prof, or with the browser's developer tools`,
  },
  "not-callgrind": {
    exit: "badInput",
    message: (d) => `${d.file}: not a callgrind profile: ${d.reason}`,
    remedy: () => `create it with valgrind --tool=callgrind`,
  },
  "profile-too-large": {
    exit: "badInput",
    message: (d) => `${d.file}: the profile has more than ${d.limit} bytes`,
    remedy: () => `store a profile with fewer resources`,
  },
  "profile-not-found": {
    exit: "nothingMatched",
    message: (d) =>
      d.or === "commit"
        ? `'${d.profile}' is neither a file, a commit nor a profile`
        : `profile '${d.profile}' was not found`,
    remedy: (d) => {
      const commit = d.or === "commit" ? "a commit of perfkeep log, " : "";
      return `name a file, ${commit}a tag of perfkeep status (0@i, 0@p), an object, or a registered or pending profile`;
    },
  },
  "ambiguous-profile": {
    exit: "usage",
    message: (d) =>
      `profile '${d.profile}' is ambiguous: ${Array.isArray(d.candidates) ? d.candidates.join(", ") : ""}`,
    remedy: () => `write one of them in full, or its tag`,
  },
  "bad-tag": {
    exit: "usage",
    message: (d) => (d.count === 0 ? `no profile '${d.tag}': none is ${d.kind}` : `invalid tag '${d.tag}'`),
    remedy: (d) => {
      if (d.count === 0) return `perfkeep collect measures a command, perfkeep status lists profiles and their tags`;
      if (d.choices !== undefined) return `choose from ${d.choices}`;
      return d.count === 1
        ? `the only ${d.kind} profile is 0@${d.letter}`
        : `the ${d.kind} profiles are 0@${d.letter} to ${Number(d.count) - 1}@${d.letter}`;
    },
  },
  "missing-origin": {
    exit: "badInput",
    message: (d) => `${d.profile}: the profile does not record the commit it was measured at`,
    remedy: () => `register it with --force if you are sure of the commit`,
  },
  "wrong-origin": {
    exit: "badInput",
    message: (d) => `${d.profile}: measured at ${d.origin}, not at ${d.version}`,
    remedy: (d) => `register it with --minor ${d.origin}, or with --force`,
  },
  "dirty-profile": {
    exit: "badInput",
    message: (d) => `${d.profile}: measured in a tree with uncommitted changes`,
    remedy: () => `commit and measure again, or register it with --allow-dirty`,
  },
  "bad-object-id": {
    exit: "usage",
    message: (d) => `'${d.id}' is not an object id`,
    remedy: () => `an id is 40 hexadecimal digits; perfkeep status --format json lists them`,
  },
  "no-independent-key": {
    exit: "usage",
    message: () => `the rows have none of the usual independent columns`,
    remedy: (d) => `choose one with --per: ${d.known}`,
  },
  "several-quantities": {
    exit: "usage",
    message: (d) => `the amounts of the rows cannot be added, they measure different quantities: ${d.known}`,
    remedy: () => `select one with --subtype NAME (convert --to: --type NAME), or filter the rows with --where`,
  },
  "no-such-subtype": {
    exit: "usage",
    message: (d) => `no row has the subtype '${d.subtype}'`,
    remedy: (d) => `the rows have: ${d.known}`,
  },
  "unknown-profile-format": {
    exit: "badInput",
    message: (d) => `${d.file}: unknown profile format`,
    remedy: (d) => {
      const known = Array.isArray(d.known) ? d.known.join(", ") : d.known;
      return `supported are ${known}; force one with ${d.option ?? "--reader"} NAME`;
    },
  },
  "packed-file": {
    exit: "badInput",
    message: (d) => `${d.path}: ${d.reason}`,
    remedy: (d) => `${d.instead}`,
  },
  "unlike-profiles": {
    exit: "badInput",
    message: (d) => `profile ${d.target} cannot be compared with ${d.baseline}: ${d.reason}`,
    remedy: () => `compare profiles of the same quantity; perfkeep show PROFILE raw prints the units of each`,
  },
  "incompatible-profiles": {
    exit: "badInput",
    message: (d) => `profiles of different configurations: ${d.baseline} and ${d.target}`,
    remedy: () => `compare them anyway with --force`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

/** Failures of the version control system. */
export const versionFailures = {
  "unknown-revision": {
    exit: "nothingMatched",
    message: (d) => `unknown revision '${d.revision}'${d.reason ? `: ${d.reason}` : ""}`,
    remedy: (d) => `${d.remedy ?? "perfkeep log lists the known commits"}`,
  },
  "no-versions-yet": {
    exit: "nothingMatched",
    message: (d) => `the repository ${d.path} has no commits yet`,
    remedy: () => `make the first commit, then try again`,
  },
  "not-a-repository": {
    exit: "usage",
    message: (d) =>
      `${d.path} is not in a ${d.type === undefined ? "" : `${d.type} `}repository${d.reason ? `: ${d.reason}` : ""}`,
    remedy: (d) =>
      `change into the working tree of a repository, or create one with perfkeep init --vcs-type=${d.type ?? "git"}`,
  },
  "repository-not-trusted": {
    exit: "untrusted",
    message: (d) => `git refuses the repository ${d.path}: ${d.reason}`,
    remedy: (d) => `if you trust its owner: git config --global --add safe.directory ${d.path}`,
  },
  "bad-version-name": {
    exit: "usage",
    message: (d) => `'${d.name}' is not a valid name for a ${d.kind}: ${d.reason}`,
    remedy: () => `choose another name: letters and digits, with '.', '_', '/' and '-' between them`,
  },
  "not-recorded-here": {
    exit: "usage",
    message: (d) => `commits of ${d.path} are made by ${d.type}, not by perfkeep`,
    remedy: (d) =>
      `use ${d.type} itself; perfkeep init --vcs-type=tagit creates a snapshot repository where there is no other`,
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
    message: (d) => `cannot create the repository ${d.path}: ${d.reason}`,
    remedy: (d) => `correct --vcs-param and --vcs-flag, or create the repository with ${d.program ?? "git"} init`,
  },
  "vcs-failed": {
    exit: "host",
    message: (d) => `${d.program} ${d.command} failed in ${d.path}: ${d.reason}`,
    remedy: (d) => `${d.remedy ?? `run ${d.program} in ${d.path} to see its own message; perfkeep changed nothing`}`,
  },
  "worktree-failed": {
    exit: "host",
    message: (d) => `cannot create a worktree of ${d.version} at ${d.path}: ${d.reason}`,
    remedy: (d) =>
      `${d.remedy ?? "free space or choose another directory with TMPDIR, then try again; no files were left"}`,
  },
  "worktree-left": {
    exit: "host",
    message: (d) => `cannot remove ${d.path}: ${d.reason}`,
    remedy: () => `close what uses it, then run perfkeep recover`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
