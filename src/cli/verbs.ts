import type { LazyVerb } from "./verb.ts";

/** Every verb of perfkeep, in the order of its help. */
export const verbs: readonly LazyVerb[] = [
  ...group("Start", [
    {
      name: "init",
      summary: "create an instance (.perun) in a repository",
      load: async () => (await import("./verbs/configuration/init.ts")).init,
    },
    {
      name: "config",
      summary: "read and change the configuration",
      load: async () => (await import("./verbs/configuration/config.ts")).config,
    },
    {
      name: "trust",
      summary: "allow the commands that the repository's configuration runs",
      load: async () => (await import("./verbs/configuration/config.ts")).trust,
    },
    {
      name: "doctor",
      summary: "check what perfkeep finds on this machine",
      load: async () => (await import("./verbs/configuration/config.ts")).doctor,
    },
    {
      name: "utils",
      summary: "create plug-ins and list available ones",
      load: async () => (await import("./verbs/configuration/utilities.ts")).utils,
    },
    {
      name: "completion",
      summary: "print a completion script for bash, zsh or fish",
      load: async () => (await import("./completion/completion.ts")).completion,
    },
  ]),
  ...group("Profiles", [
    {
      name: "collect",
      summary: "measure a command",
      load: async () => (await import("./verbs/profiles/collect.ts")).collect,
    },
    {
      name: "run",
      summary: "measure a matrix of commands, workloads and commits",
      load: async () => (await import("./verbs/profiles/run.ts")).run,
    },
    {
      name: "postprocessby",
      aliases: ["postprocess"],
      summary: "derive models or other data from a profile",
      load: async (session, words) => (await import("./verbs/profiles/postprocessby.ts")).postprocessby(session, words),
    },
    {
      name: "import-profile",
      summary: "convert output of profilers or benchmarks into pending profiles",
      load: async () => (await import("./verbs/import/import-profile.ts")).importProfileVerb,
    },
    {
      name: "add",
      summary: "register profiles for a commit",
      load: async () => (await import("./verbs/profiles/add.ts")).add,
    },
    {
      name: "rm",
      summary: "remove profiles from a commit",
      load: async () => (await import("./verbs/profiles/rm.ts")).rm,
    },
    {
      name: "status",
      summary: "show registered and pending profiles of the current commit",
      load: async () => (await import("./verbs/profiles/status.ts")).status,
    },
    {
      name: "log",
      summary: "show commit history with profiles",
      load: async () => (await import("./verbs/profiles/log.ts")).log,
    },
    {
      name: "show",
      summary: "display a profile",
      load: async () => (await import("./verbs/profiles/show.ts")).show,
    },
  ]),
  ...group("Verdicts", [
    {
      name: "calibrate",
      summary: "measure your false-positive rate and tune thresholds",
      load: async () => (await import("./verbs/verdicts/calibrate.ts")).calibrate,
    },
    {
      name: "report",
      summary: "write a self-contained HTML report",
      load: async () => (await import("./verbs/report/report.ts")).report,
    },
    {
      name: "serve",
      summary: "serve a live dashboard",
      load: async () => (await import("./verbs/report/report.ts")).serve,
    },
    {
      name: "notify",
      summary: "post the verdicts of a check to a chat or a webhook",
      load: async () => (await import("./verbs/report/notify.ts")).notify,
    },
    {
      name: "mcp",
      summary: "serve read-only tools for agents and editors over stdio",
      load: async () => (await import("./verbs/report/mcp.ts")).mcp,
    },
    {
      name: "diff",
      summary: "compare two profiles or commits function by function",
      load: async () => (await import("./verbs/profiles/diff.ts")).diffVerb,
    },
    {
      name: "check",
      summary: "detect regressions and the commits that introduced them",
      load: async () => (await import("./verbs/verdicts/check.ts")).check,
    },
    {
      name: "compare",
      summary: "compare two commits, profiles, runs or result files",
      load: async () => (await import("./verbs/verdicts/compare.ts")).compare,
    },
    {
      name: "changepoints",
      summary: "detect change points in series of numbers",
      load: async () => (await import("./verbs/verdicts/trends.ts")).changepoints,
    },
    {
      name: "trend",
      summary: "plot metrics over commit history",
      load: async () => (await import("./verbs/verdicts/trends.ts")).trend,
    },
    {
      name: "triage",
      summary: "record decisions about changes in perfkeep.triage, a tracked file",
      load: async () => (await import("./verbs/verdicts/triage.ts")).triage,
    },
    {
      name: "bisect",
      summary: "find the commit that changed a metric",
      load: async () => (await import("./verbs/verdicts/bisect.ts")).bisect,
    },
    {
      name: "fuzz",
      summary: "search for inputs that make a command slow, hang or fail",
      load: async () => (await import("./verbs/verdicts/fuzz.ts")).fuzz,
    },
  ]),
  ...group("Experiments", [
    {
      name: "experiment",
      summary: "create, list, describe, change, delete and dump experiments",
      load: async () => (await import("./verbs/experiments/experiment.ts")).experiment,
    },
    {
      name: "describe",
      summary: "propose an experiment and an input description for sample files",
      load: async () => (await import("./verbs/import/describe.ts")).describe,
    },
    {
      name: "import",
      summary: "import benchmark output into an experiment",
      load: async () => (await import("./verbs/import/import.ts")).importVerb,
    },
    {
      name: "query",
      summary: "query an experiment",
      load: async () => (await import("./verbs/query/query.ts")).query,
    },
    {
      name: "sql",
      summary: "query the experiment database in SQL",
      load: async () => (await import("./verbs/query/query.ts")).sql,
    },
    {
      name: "mine",
      summary: "find missing, noisy, shifted and outlying values in an experiment",
      load: async () => (await import("./verbs/query/mine.ts")).mine,
    },
    {
      name: "find",
      summary: "search an experiment's runs",
      load: async () => (await import("./verbs/query/find.ts")).find,
    },
    {
      name: "export",
      summary: "export an experiment for other programs",
      load: async () => (await import("./verbs/query/export.ts")).exportVerb,
    },
    {
      name: "move",
      summary: "move experiments to another database",
      load: async () => (await import("./verbs/experiments/move.ts")).move,
    },
    {
      name: "plot",
      summary: "plot values of an experiment",
      load: async () => (await import("./verbs/query/plot.ts")).plot,
    },
    {
      name: "attach",
      summary: "store descriptions with an experiment for use by name",
      load: async () => (await import("./verbs/experiments/attach.ts")).attach,
    },
    {
      name: "convert",
      summary: "convert descriptions and profiles to other formats",
      load: async () => (await import("./verbs/experiments/convert.ts")).convert,
    },
  ]),
  ...group("Store", [
    {
      name: "push",
      summary: "publish results through a git remote",
      load: async () => (await import("./verbs/share/share.ts")).push,
    },
    {
      name: "pull",
      summary: "fetch and merge shared results",
      load: async () => (await import("./verbs/share/share.ts")).pull,
    },
    {
      name: "fetch",
      summary: "fetch and verify shared results without merging them",
      load: async () => (await import("./verbs/share/share.ts")).fetch,
    },
    {
      name: "tagit",
      summary: "version a folder that is under no version control",
      load: async () => (await import("./verbs/maintenance/tagit.ts")).tagit,
    },
    {
      name: "hash-object",
      summary: "print the object id of a profile",
      load: async () => (await import("./verbs/maintenance/store.ts")).hashObject,
    },
    {
      name: "cat-object",
      summary: "print a stored object",
      load: async () => (await import("./verbs/maintenance/store.ts")).catObject,
    },
    {
      name: "stats",
      summary: "manage statistics files of commits",
      load: async () => (await import("./verbs/maintenance/stats.ts")).stats,
    },
    {
      name: "temp",
      summary: "list and delete temporary files of the store",
      load: async () => (await import("./verbs/maintenance/temp.ts")).temp,
    },
    {
      name: "fsck",
      summary: "verify the integrity of the store",
      load: async () => (await import("./verbs/maintenance/store.ts")).fsck,
    },
    {
      name: "rebuild",
      summary: "rebuild the experiment database from stored files",
      load: async () => (await import("./verbs/maintenance/store.ts")).rebuild,
    },
    {
      name: "gc",
      summary: "repack the share repository and prune unneeded data",
      load: async () => (await import("./verbs/maintenance/gc.ts")).gc,
    },
    {
      name: "recover",
      summary: "clean up after a killed command",
      load: async () => (await import("./verbs/maintenance/store.ts")).recover,
    },
  ]),
];

function group(name: string, verbs: readonly Omit<LazyVerb, "group">[]): LazyVerb[] {
  return verbs.map((verb) => ({ ...verb, group: name }));
}
