import type { LazyVerb } from "./verb.ts";

const start = "Start";
const profiles = "Profiles";
const verdicts = "Verdicts";
const experiments = "Experiments";
const store = "Store";

/** Every verb of perfkeep, in the order of its help. */
export const verbs: readonly LazyVerb[] = [
  {
    name: "init",
    group: start,
    summary: "make an instance (.perun) in a repository",
    load: async () => (await import("./verbs/configuration/init.ts")).init,
  },
  {
    name: "config",
    group: start,
    summary: "read and change the configuration",
    load: async () => (await import("./verbs/configuration/config.ts")).config,
  },
  {
    name: "trust",
    group: start,
    summary: "allow the commands that this repository's configuration names",
    load: async () => (await import("./verbs/configuration/config.ts")).trust,
  },
  {
    name: "utils",
    group: start,
    summary: "write plug-ins of your own, and list all there are",
    load: async () => (await import("./verbs/configuration/utilities.ts")).utils,
  },
  {
    name: "completion",
    group: start,
    summary: "print a script that completes words in bash, zsh or fish",
    load: async () => (await import("./completion/completion.ts")).completion,
  },

  {
    name: "collect",
    group: profiles,
    summary: "measure a command",
    load: async () => (await import("./verbs/profiles/collect.ts")).collect,
  },
  {
    name: "run",
    group: profiles,
    summary: "measure a matrix of commands, workloads and versions",
    load: async () => (await import("./verbs/profiles/run.ts")).run,
  },
  {
    name: "postprocessby",
    aliases: ["postprocess"],
    group: profiles,
    summary: "derive models or other rows from a profile",
    load: async (session, words) => (await import("./verbs/profiles/postprocessby.ts")).postprocessby(session, words),
  },
  {
    name: "add",
    group: profiles,
    summary: "register profiles at a version",
    load: async () => (await import("./verbs/profiles/add.ts")).add,
  },
  {
    name: "rm",
    group: profiles,
    summary: "take profiles out of a version",
    load: async () => (await import("./verbs/profiles/rm.ts")).rm,
  },
  {
    name: "status",
    group: profiles,
    summary: "show this version's profiles and the pending ones",
    load: async () => (await import("./verbs/profiles/status.ts")).status,
  },
  {
    name: "log",
    group: profiles,
    summary: "show the history with its profiles",
    load: async () => (await import("./verbs/profiles/log.ts")).log,
  },
  {
    name: "show",
    group: profiles,
    summary: "look at a profile",
    load: async () => (await import("./verbs/profiles/show.ts")).show,
  },

  {
    name: "calibrate",
    group: verdicts,
    summary: "find out how often checks cry wolf, and set their thresholds",
    load: async () => (await import("./verbs/verdicts/calibrate.ts")).calibrate,
  },
  {
    name: "report",
    group: verdicts,
    summary: "write all that was measured, and what changed, as one page to look at",
    load: async () => (await import("./verbs/report/report.ts")).report,
  },
  {
    name: "serve",
    group: verdicts,
    summary: "show all of it in the browser, as it is now",
    load: async () => (await import("./verbs/report/report.ts")).serve,
  },
  {
    name: "diff",
    group: verdicts,
    summary: "show in which functions two profiles or versions differ",
    load: async () => (await import("./verbs/profiles/diff.ts")).diffVerb,
  },
  {
    name: "check",
    group: verdicts,
    summary: "find what got slower, and since which version",
    load: async () => (await import("./verbs/verdicts/check.ts")).check,
  },
  {
    name: "compare",
    group: verdicts,
    summary: "compare two versions, profiles, runs or files of samples",
    load: async () => (await import("./verbs/verdicts/compare.ts")).compare,
  },
  {
    name: "changepoints",
    group: verdicts,
    summary: "find where the level of a series of numbers changes",
    load: async () => (await import("./verbs/verdicts/trends.ts")).changepoints,
  },
  {
    name: "trend",
    group: verdicts,
    summary: "draw how the numbers that were measured went along the history",
    load: async () => (await import("./verbs/verdicts/trends.ts")).trend,
  },
  {
    name: "triage",
    group: verdicts,
    summary: "keep decisions about changes in perfkeep.triage, a tracked file",
    load: async () => (await import("./verbs/verdicts/triage.ts")).triage,
  },

  {
    name: "bisect",
    group: verdicts,
    summary: "find the version that changed a number",
    load: async () => (await import("./verbs/verdicts/bisect.ts")).bisect,
  },
  {
    name: "fuzz",
    group: verdicts,
    summary: "search for inputs on which a command is slow, hangs or fails",
    load: async () => (await import("./verbs/verdicts/fuzz.ts")).fuzz,
  },

  {
    name: "experiment",
    group: experiments,
    summary: "create, list, show, describe, change, delete and dump experiments",
    load: async () => (await import("./verbs/experiments/experiment.ts")).experiment,
  },
  {
    name: "import",
    group: experiments,
    summary: "read benchmark output into an experiment",
    load: async () => (await import("./verbs/import/import.ts")).importVerb,
  },
  {
    name: "query",
    group: experiments,
    summary: "ask an experiment for its values",
    load: async () => (await import("./verbs/query/query.ts")).query,
  },
  {
    name: "sql",
    group: experiments,
    summary: "ask the experiment database in SQL",
    load: async () => (await import("./verbs/query/query.ts")).sql,
  },
  {
    name: "mine",
    group: experiments,
    summary: "find what is missing, noisy, changed or odd in an experiment",
    load: async () => (await import("./verbs/query/mine.ts")).mine,
  },
  {
    name: "find",
    group: experiments,
    summary: "find runs of an experiment",
    load: async () => (await import("./verbs/query/find.ts")).find,
  },
  {
    name: "export",
    group: experiments,
    summary: "write the contents of an experiment for other programs",
    load: async () => (await import("./verbs/query/export.ts")).exportVerb,
  },
  {
    name: "move",
    group: experiments,
    summary: "move experiments to another database",
    load: async () => (await import("./verbs/experiments/move.ts")).move,
  },
  {
    name: "plot",
    group: experiments,
    summary: "draw values of an experiment",
    load: async () => (await import("./verbs/query/plot.ts")).plot,
  },
  {
    name: "attach",
    group: experiments,
    summary: "keep descriptions with an experiment, to use them by name",
    load: async () => (await import("./verbs/experiments/attach.ts")).attach,
  },
  {
    name: "convert",
    group: experiments,
    summary: "write a description in the other spelling",
    load: async () => (await import("./verbs/experiments/convert.ts")).convert,
  },

  {
    name: "push",
    group: store,
    summary: "send what was measured to others, through a remote of the repository",
    load: async () => (await import("./verbs/share/share.ts")).push,
  },
  {
    name: "pull",
    group: store,
    summary: "take over what others sent",
    load: async () => (await import("./verbs/share/share.ts")).pull,
  },
  {
    name: "fetch",
    group: store,
    summary: "get and verify what others sent, without taking it over",
    load: async () => (await import("./verbs/share/share.ts")).fetch,
  },
  {
    name: "tagit",
    group: store,
    summary: "keep versions of a folder that no version control system keeps",
    load: async () => (await import("./verbs/maintenance/tagit.ts")).tagit,
  },
  {
    name: "hash-object",
    group: store,
    summary: "print the name a profile would be stored under",
    load: async () => (await import("./verbs/maintenance/store.ts")).hashObject,
  },
  {
    name: "cat-object",
    group: store,
    summary: "print a stored object",
    load: async () => (await import("./verbs/maintenance/store.ts")).catObject,
  },
  {
    name: "stats",
    group: store,
    summary: "keep statistics beside profiles, by version",
    load: async () => (await import("./verbs/maintenance/stats.ts")).stats,
  },
  {
    name: "temp",
    group: store,
    summary: "look at and delete temporary files of the store",
    load: async () => (await import("./verbs/maintenance/temp.ts")).temp,
  },
  {
    name: "fsck",
    group: store,
    summary: "verify everything in the store",
    load: async () => (await import("./verbs/maintenance/store.ts")).fsck,
  },
  {
    name: "rebuild",
    group: store,
    summary: "make the experiment database again from what is kept",
    load: async () => (await import("./verbs/maintenance/store.ts")).rebuild,
  },
  {
    name: "gc",
    group: store,
    summary: "pack anew what push and pull have kept, and drop what is not needed",
    load: async () => (await import("./verbs/maintenance/store.ts")).gc,
  },
  {
    name: "recover",
    group: store,
    summary: "clean up after a killed command",
    load: async () => (await import("./verbs/maintenance/store.ts")).recover,
  },
];
