import { type FailureKind, suggestion } from "./kind.ts";

/** Failures of stored experiments: runs, attachments, ledger, dumps, moves between databases. */
export const experimentFailures = {
  "unknown-experiment": {
    exit: "nothingMatched",
    message: (d) => `unknown experiment '${d.experiment}'${suggestion(d)}`,
    remedy: () => `perfkeep experiment list lists all experiments`,
  },
  "no-experiment-named": {
    exit: "usage",
    message: () => `no experiment given`,
    remedy: () => `name it with -e, in the description (EXPERIMENT, <experiment>), or in PERFKEEP_EXPERIMENT`,
  },
  "bad-name": {
    exit: "usage",
    message: (d) => `'${String(d.name).slice(0, 80)}' cannot be the name of ${d.what}`,
    remedy: (d) =>
      d.longest === undefined
        ? `names have at most 128 letters, digits, _ . and -, and do not begin with a digit`
        : `names have 1 to ${d.longest} characters without control characters`,
  },
  "experiment-exists": {
    exit: "badInput",
    message: (d) =>
      `there is already an experiment '${d.experiment}'${d.location ? ` in ${d.location}` : ""} ` +
      `(names are case-insensitive)`,
    remedy: () => `choose another name, or remove the old one with perfkeep experiment delete`,
  },
  "experiment-changed": {
    exit: "host",
    message: (d) => `experiment '${d.experiment}' was changed while the input was read; nothing was imported`,
    remedy: () => `import again`,
  },
  "update-refused": {
    exit: "badInput",
    message: (d) => `experiment '${d.experiment}' cannot be updated: ${d.problem}`,
    remedy: (d) => `${d.advice ?? "correct the update"}; nothing was changed`,
  },
  "unknown-run": {
    exit: "nothingMatched",
    message: (d) => `experiment '${d.experiment}' has no run ${d.run}`,
    remedy: (d) => `perfkeep experiment info ${d.experiment} lists its runs`,
  },
  "unknown-deleted-run": {
    exit: "nothingMatched",
    message: (d) => `experiment '${d.experiment}' has no deleted run ${d.run}`,
    remedy: (d) => `perfkeep experiment info ${d.experiment} --deleted lists its deleted runs`,
  },
  "ambiguous-label": {
    exit: "usage",
    message: (d) => `several runs of '${d.experiment}' have the label '${d.label}'`,
    remedy: (d) => `select one by its number: ${d.runs}`,
  },
  "no-such-source": {
    exit: "nothingMatched",
    message: (d) => `no run of '${d.experiment}' was imported from ${d.path}, or has all its rows from it`,
    remedy: (d) =>
      d.partial
        ? `delete runs by number: ${d.path} has ${d.partial}`
        : `perfkeep experiment info ${d.experiment} lists the files of its runs`,
  },
  "not-comparable": {
    exit: "badInput",
    message: (d) => `the rows of '${d.experiment}' are on several servers, where they cannot be compared with a file`,
    remedy: () => `select runs by number or label`,
  },
  "no-commits": {
    exit: "nothingMatched",
    message: (d) => `no selected run of '${d.experiment}' belongs to a commit`,
    remedy: () => `import in a checkout of the repository, or export to a format that needs no commits`,
  },
  "unknown-column": {
    exit: "usage",
    message: (d) => `there is no column '${d.column}'`,
    remedy: (d) => `the table has ${d.known}`,
  },
  "unknown-variable": {
    exit: "badInput",
    message: (d) => `experiment '${d.experiment}' has no parameter or result '${d.variable}'${suggestion(d)}`,
    remedy: (d) => `it has ${d.known}`,
  },
  "unknown-parameter-set": {
    exit: "nothingMatched",
    message: (d) => `experiment '${d.experiment}' has no parameter set '${d.set}'${suggestion(d)}`,
    remedy: (d) => (d.known ? `it has ${d.known}` : `perfkeep import --pset-store stores one`),
  },
  "attachment-exists": {
    exit: "badInput",
    message: (d) => `experiment '${d.experiment}' already has an attachment '${d.name}'`,
    remedy: (d) => `choose another name, or remove it first: perfkeep attach delete ${d.experiment} ${d.name}`,
  },
  "unknown-attachment": {
    exit: "nothingMatched",
    message: (d) => `experiment '${d.experiment}' has no attachment '${d.name}'${suggestion(d)}`,
    remedy: (d) => `perfkeep attach list ${d.experiment} lists its attachments`,
  },
  "bad-attachment": {
    exit: "badInput",
    message: (d) => `cannot attach ${d.path}: ${d.problem}`,
    remedy: () =>
      `attachments are descriptions of experiments, updates, inputs, queries and plots; set the name with --name`,
  },
  "wrong-attachment": {
    exit: "usage",
    message: (d) => `attachment '${d.name}' is of kind ${d.kind}, not ${d.wanted}`,
    remedy: () => `perfkeep attach list lists the attachments with their kinds`,
  },
  "no-move-target": {
    exit: "usage",
    message: () => `no target database given`,
    remedy: () => `add --to embedded, --to PATH or --to postgres://user@host:port/database`,
  },
  "move-same-database": {
    exit: "usage",
    message: (d) => `cannot move experiments from ${d.location} to itself`,
    remedy: () => `--to names another database: embedded, a path, or postgres://user@host:port/database`,
  },
  "move-differs": {
    exit: "found",
    message: (d) => `the copy of '${d.experiment}' in ${d.location} differs: the digests do not match`,
    remedy: (d) => `nothing was moved; perfkeep experiment check ${d.experiment} looks for damage`,
  },
  "move-overtaken": {
    exit: "found",
    message: (d) => `'${d.experiment}' was changed here after an interrupted move copied it to ${d.location}`,
    remedy: (d) =>
      `delete the copy there (perfkeep experiment delete ${d.experiment} --purge --db ${d.location}) and move again`,
  },
  "ledger-damaged": {
    exit: "found",
    message: (d) => `invalid ledger entry ${d.entry}: ${d.problem}`,
    remedy: () => `run perfkeep fsck; nothing was changed`,
  },
  "head-damaged": {
    exit: "found",
    message: (d) => `${d.path}, which names the last change of the experiment database, is damaged`,
    remedy: () => `the next change writes it again`,
  },
  "ledger-lost": {
    exit: "found",
    message: (d) => `the database cannot be rebuilt: ${d.problem}`,
    remedy: (d) => `${d.advice ?? "restore the missing objects from a copy of the store"}; nothing was replaced`,
  },
  "not-embedded": {
    exit: "usage",
    message: (d) => `${d.database} is a database of a server, which cannot be rebuilt from here`,
    remedy: () => `restore it from a dump of the server; --db PATH rebuilds an embedded one`,
  },
  "replay-differs": {
    exit: "found",
    message: (d) => `importing the stored files of '${d.experiment}' again yields different runs (run ${d.run})`,
    remedy: () => `use the perfkeep that imported them; the database was not changed`,
  },
  "dump-damaged": {
    exit: "badInput",
    message: (d) => `${d.path} is not a complete dump of an experiment: ${d.problem}`,
    remedy: () => `nothing was restored; copy or dump it again`,
  },
  "dump-newer": {
    exit: "badInput",
    message: (d) => `${d.path} is a dump of a newer format ('${d.found}')`,
    remedy: () => `nothing was restored; use the perfkeep that wrote it, or a newer one`,
  },
  "no-dump-file": {
    exit: "usage",
    message: (d) => `no output file given for the dump of '${d.experiment}'`,
    remedy: (d) => `name a file: -o ${d.experiment}.tar.gz`,
  },
  "dump-lacks-objects": {
    exit: "nothingMatched",
    message: (d) => `sources of '${d.experiment}' are missing or damaged on this machine: ${d.lost}`,
    remedy: () => `dump it where its files were imported, or add --without-raw: the dump then records what is missing`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
