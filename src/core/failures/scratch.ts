import type { FailureKind } from "./kind.ts";

/** Failures of what is kept beside profiles: statistics of versions (`stats`) and temporary files (`temp`). */
export const scratchFailures = {
  "packed-json-damaged": {
    exit: "found",
    message: (d) => `${d.file} is damaged: ${d.reason}`,
    remedy: () =>
      `delete it with perfkeep stats delete or perfkeep temp delete, or put back a copy; nothing was changed`,
  },
  "bad-stats-name": {
    exit: "usage",
    message: (d) => `the name ${JSON.stringify(d.name)} cannot be used for statistics: ${d.reason}`,
    remedy: () => `choose a plain file name of at most 200 bytes`,
  },
  "no-stats": {
    exit: "nothingMatched",
    message: (d) => `there are no statistics ${d.name === undefined ? "" : `'${d.name}' `}${d.where}`,
    remedy: () => `perfkeep stats list-files shows what there is`,
  },
  "bad-stats": {
    exit: "badInput",
    message: (d) => `${d.file}: ${d.reason}`,
    remedy: () => `statistics are a JSON object that has an object under each id`,
  },
  "outside-of-temp": {
    exit: "usage",
    message: (d) => `${d.path} does not lie in ${d.folder}`,
    remedy: () => `perfkeep temp list shows the paths that can be given`,
  },
  "no-temp": {
    exit: "nothingMatched",
    message: (d) => `there is no temporary file or folder ${d.path}`,
    remedy: () => `perfkeep temp list shows what there is`,
  },
  "temp-protected": {
    exit: "usage",
    message: (d) => `${Array.isArray(d.paths) ? d.paths.join(", ") : d.paths} is protected; nothing was deleted`,
    remedy: () => `leave out --warn to delete the rest, or delete protected files too with --force`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
