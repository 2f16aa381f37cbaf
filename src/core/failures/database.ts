import type { FailureKind } from "./kind.ts";

/** Failures of the experiment database. */
export const databaseFailures = {
  "no-database": {
    exit: "nothingMatched",
    message: (d) => `there is no experiment database at ${d.path} yet`,
    remedy: () => `perfkeep experiment create FILE.exp makes it with its first experiment`,
  },
  "database-busy": {
    exit: "host",
    message: (d) => `the experiment database ${d.path} is in use by ${d.pid ? `process ${d.pid}` : "another process"}`,
    remedy: (d) => `waited ${d.seconds} s; try again when that process has ended${d.pid ? ` (ps -p ${d.pid})` : ""}`,
  },
  "database-damaged": {
    exit: "found",
    message: (d) => `the experiment database ${d.path} cannot be opened: ${d.reason}`,
    remedy: () => `move the file aside; the kept raw files and descriptions can be imported again`,
  },
  "database-newer": {
    exit: "host",
    message: (d) => `the experiment database has layout ${d.found}, this program knows layouts up to ${d.known}`,
    remedy: () => `use the perfkeep that wrote it, or a newer one`,
  },
  "database-refused": {
    exit: "badInput",
    message: (d) => `the database refused the statement: ${d.reason}`,
    remedy: () => `check the values and their types; nothing was stored`,
  },
  "database-unwritable": {
    exit: "host",
    message: (d) => `the database cannot be written: ${d.reason}`,
    remedy: () => `check free space and permissions; nothing was stored`,
  },
  "text-not-storable": {
    exit: "badInput",
    message: (d) => `a text holds a NUL character, which no database column can keep${d.column ? ` (column ${d.column})` : ""}`,
    remedy: () => `declare the variable as binary, or remove the character`,
  },
  "column-not-readable": {
    exit: "usage",
    message: (d) => `column '${d.column}' of the result has a type that tables cannot hold`,
    remedy: () => `cast it, for example to VARCHAR`,
  },
  "experiment-exists": {
    exit: "badInput",
    message: (d) => `there is already an experiment '${d.experiment}' (upper and lower case do not differ)`,
    remedy: () => `choose another name, or remove the old one with perfkeep experiment delete`,
  },
  "unknown-run": {
    exit: "nothingMatched",
    message: (d) => `experiment '${d.experiment}' has no run ${d.run}`,
    remedy: (d) => `perfkeep experiment info ${d.experiment} lists its runs`,
  },
  "already-imported": {
    exit: "badInput",
    message: (d) => `${d.path} is already imported into '${d.experiment}' (run ${d.run}); nothing was imported`,
    remedy: () => `--force imports it once more`,
  },
  "fixed-twice": {
    exit: "usage",
    message: (d) => `'${d.variable}' is given twice`,
    remedy: () => `give each content once`,
  },
  "file-changed": {
    exit: "badInput",
    message: (d) => `${d.path} changed while it was read; nothing was imported`,
    remedy: () => `import it when nothing writes to it any more`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
