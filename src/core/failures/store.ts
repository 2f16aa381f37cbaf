import type { FailureData, FailureKind } from "./kind.ts";

/** Failures of the store (.perun). */
export const storeFailures = {
  "object-missing": {
    exit: "nothingMatched",
    message: (d) => `object ${d.digest} is not in the store`,
    remedy: () => `perfkeep log lists the stored profiles; perfkeep fsck finds what is lost`,
  },
  "not-an-object": {
    exit: "usage",
    message: (d) => `${d.digest} is the version index of a commit, not an object`,
    remedy: (d) => `perfkeep log ${String(d.digest).slice(0, 12)} shows the profiles it lists`,
  },
  "object-damaged": {
    exit: "found",
    message: (d) => `object ${d.digest} is damaged: ${d.reason}`,
    remedy: () => `run perfkeep fsck; adding the same profile again heals it`,
  },
  "digest-collision": {
    exit: "found",
    message: (d) => `object ${d.digest} already holds other content; the new content was kept as ${d.kept}`,
    remedy: () => `compare the two files; nothing was overwritten`,
  },
  "index-damaged": {
    exit: "found",
    message: (d) => `version index of ${d.version ?? "?"} is damaged: ${d.reason}`,
    remedy: () => `run perfkeep fsck`,
  },
  "kept-pages-damaged": {
    exit: "found",
    message: (d) => `what was kept of pages is damaged: ${d.part}`,
    remedy: () => `it is thrown away: ask again, and it is made anew`,
  },
  "pages-not-made": {
    exit: "host",
    message: (d) => `history could not be judged: ${d.reason}`,
    remedy: () => `perfkeep report tells more`,
  },
  "not-registered": {
    exit: "nothingMatched",
    message: (d) => `${d.name} is not registered at ${d.version}; nothing was removed`,
    remedy: () => `perfkeep status lists the profiles registered at a version`,
  },
  "not-pending": {
    exit: "nothingMatched",
    message: (d) => `${d.name} is not among the pending profiles`,
    remedy: () => `perfkeep status lists the pending profiles`,
  },
  "bad-profile-name": {
    exit: "badInput",
    message: (d) => `the name ${JSON.stringify(d.name)} cannot be used for a profile: ${d.reason}`,
    remedy: () => `choose a plain file name of at most 200 bytes`,
  },
  "name-taken": {
    exit: "badInput",
    message: (d) => `${d.path} exists already and was left as it is`,
    remedy: () => `choose another name, or remove that file first`,
  },
  "cannot-write": {
    exit: "host",
    message: (d) => `cannot write ${d.path}: ${d.reason}${d.free === undefined ? "" : ` (${d.free} free)`}`,
    remedy: (d) => writeRemedy(d),
  },
  "cannot-read": {
    exit: "host",
    message: (d) => `cannot read ${d.path}: ${d.reason}`,
    remedy: () => `check the permissions of the file and the health of the disk`,
  },
  "not-a-plain-file": {
    exit: "badInput",
    message: (d) => `${d.path} is ${d.found}; it was not followed`,
    remedy: () => `put a plain file or folder in its place: the store never leaves its own folder`,
  },
  "file-too-large": {
    exit: "badInput",
    message: (d) => `${d.path} has ${d.size} bytes, more than the ${d.cap} that are read at once`,
    remedy: () => `check that it is the right file; split it if it is`,
  },
  "lock-held": {
    exit: "host",
    message: (d) =>
      `the store is locked by process ${d.pid} on ${d.host} (${d.command}) since ${d.since}; waited ${d.waited} s`,
    remedy: (d) =>
      d.elsewhere === undefined
        ? `wait until it has finished, or end it; then run the command again`
        : `it runs ${d.elsewhere}, so perfkeep cannot tell whether it lives: if it does not, delete ${d.path}`,
  },
  "lock-unreadable": {
    exit: "host",
    message: (d) => `the lock ${d.path} is not one that perfkeep wrote`,
    remedy: (d) => `make sure that no perfkeep is running, then delete ${d.path}`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

function writeRemedy(d: FailureData): string {
  if (d.errno === "ENOSPC" || d.errno === "EDQUOT")
    return `free some space and run the command again; what was stored before is untouched`;
  if (d.errno === "EMFILE" || d.errno === "ENFILE")
    return `raise the limit of open files (ulimit -n) and run the command again`;
  return `check the permissions and the health of the disk, then run the command again; what was stored before is untouched`;
}
