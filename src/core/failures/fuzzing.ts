import type { FailureKind } from "./kind.ts";

/** Failures of performance fuzzing. */
export const fuzzingFailures = {
  "no-samples": {
    exit: "nothingMatched",
    message: (d) => `there is no file to start from in ${d.what}`,
    remedy: () => `name files or folders by --input-sample; --workloads-filter and --exclude may leave none`,
  },
  "bad-sample": {
    exit: "badInput",
    message: (d) => `${d.file} cannot be started from: ${d.reason}`,
    remedy: () => `give inputs on which the command runs to its end; --exclude passes files of a folder over`,
  },
  "output-folder-taken": {
    exit: "usage",
    message: (d) => `${d.folder} holds '${d.name}', which no campaign of fuzzing has put there`,
    remedy: () => `give a folder of its own: perfkeep fuzz -o NEW-FOLDER`,
  },
  "campaign-differs": {
    exit: "usage",
    message: (d) => `${d.folder} holds a campaign with ${d.before} as ${d.what}, not ${d.now}`,
    remedy: () => `give the command line that it was begun with, or another folder by -o`,
  },
  "campaign-damaged": {
    exit: "badInput",
    message: (d) => `${d.file} cannot be read: ${d.reason}`,
    remedy: () => `begin anew in another folder; what was found is still in this one`,
  },
  "no-campaign": {
    exit: "usage",
    message: (d) => `${d.folder} holds no campaign to go on with`,
    remedy: () => `leave --resume out to begin one`,
  },
  "coverage-unreadable": {
    exit: "host",
    message: (d) => `the coverage cannot be read: ${d.reason}`,
    remedy: () =>
      `use the gcov of the compiler that built the program (GCC 9 or newer), name its .gcno files by -g, or give --skip-coverage-testing`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
