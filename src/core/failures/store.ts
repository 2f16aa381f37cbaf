import type { FailureData, FailureKind } from "./kind.ts";

/** Failures of the store (.perun). */
export const storeFailures = {
  "object-missing": {
    exit: "nothingMatched",
    message: (d) => `object ${d.digest} is not in the store`,
    remedy: () => `perfkeep log lists the stored profiles; perfkeep fsck finds missing objects`,
  },
  "not-an-object": {
    exit: "usage",
    message: (d) => `${d.digest} is the index of a commit, not an object`,
    remedy: (d) => `perfkeep log ${String(d.digest).slice(0, 12)} shows the profiles it lists`,
  },
  "object-damaged": {
    exit: "found",
    message: (d) => `object ${d.digest} is damaged: ${d.reason}`,
    remedy: () => `run perfkeep fsck; adding the same profile again repairs it`,
  },
  "pack-damaged": {
    exit: "found",
    message: (d) => `pack ${d.path} is damaged: ${d.reason}`,
    remedy: () => `run perfkeep fsck; adding the same profiles again repairs it`,
  },
  "perun-cannot-read-packs": {
    exit: "usage",
    message: (d) => `${d.path} was created by Perun, which cannot read packed profiles; nothing was packed`,
    remedy: () => `--force packs them anyway; perfkeep gc --unpack undoes it`,
  },
  "digest-collision": {
    exit: "found",
    message: (d) => `object ${d.digest} already holds other data; the new data was saved as ${d.kept}`,
    remedy: () => `compare the two files; nothing was overwritten`,
  },
  "index-damaged": {
    exit: "found",
    message: (d) => `the index of commit ${d.version ?? "?"} is damaged: ${d.reason}`,
    remedy: () => `run perfkeep fsck`,
  },
  "index-unknown": {
    exit: "host",
    message: (d) => `the index of commit ${d.version ?? "?"} has format version ${d.found}, which is not known`,
    remedy: () => `nothing is damaged: install the version of perfkeep or Perun that wrote it`,
  },
  "kept-pages-damaged": {
    exit: "found",
    message: (d) => `the page cache is damaged: ${d.part}`,
    remedy: () => `it was discarded: send the request again to compute it again`,
  },
  "pages-not-made": {
    exit: "host",
    message: (d) => `cannot evaluate the history: ${d.reason}`,
    remedy: () => `perfkeep report prints the details`,
  },
  "not-registered": {
    exit: "nothingMatched",
    message: (d) => `${d.name} is not registered at ${d.version}; nothing was removed`,
    remedy: () => `perfkeep status lists the profiles registered at a commit`,
  },
  "not-pending": {
    exit: "nothingMatched",
    message: (d) => `${d.name} is not a pending profile`,
    remedy: () => `perfkeep status lists the pending profiles`,
  },
  "bad-profile-name": {
    exit: "badInput",
    message: (d) => `${JSON.stringify(d.name)} is not a valid profile name: ${d.reason}`,
    remedy: () => `choose a plain file name of at most 200 bytes`,
  },
  "name-taken": {
    exit: "badInput",
    message: (d) => `${d.path} already exists and was not changed`,
    remedy: () => `choose another name, or remove that file first`,
  },
  "cannot-write": {
    exit: "host",
    message: (d) => `cannot write ${d.path}: ${d.reason}${d.free === undefined ? "" : ` (${d.free} free)`}`,
    remedy: (d) => writeRemedy(d),
  },
  "cannot-sync": {
    exit: "host",
    message: (d) => `${d.path} was changed, but the change may not survive a power cut: ${d.reason}`,
    remedy: () => `check the health of the disk, then run the command again; data stored earlier is intact`,
  },
  "cannot-read": {
    exit: "host",
    message: (d) => `cannot read ${d.path}: ${d.reason}`,
    remedy: () => `check the permissions of the file and the health of the disk`,
  },
  "not-a-plain-file": {
    exit: "badInput",
    message: (d) => `${d.path} is ${d.found}; it was not followed`,
    remedy: () => `replace it with a plain file or folder: the store never leaves its own folder`,
  },
  "file-too-large": {
    exit: "badInput",
    message: (d) => `${d.path} has ${d.size} bytes, more than the limit of ${d.cap}`,
    remedy: () => `check that it is the right file; if it is, split it`,
  },
  "lock-held": {
    exit: "host",
    message: (d) =>
      `the store is locked by process ${d.pid} on ${d.host} (${d.command}) since ${d.since}; waited ${d.waited} s`,
    remedy: (d) =>
      d.elsewhere === undefined
        ? `wait until it ends, or end it; then run the command again`
        : `it runs ${d.elsewhere}, so perfkeep cannot check that it is alive: if it is not, delete ${d.path}`,
  },
  "lock-unreadable": {
    exit: "host",
    message: (d) => `the lock ${d.path} was not written by perfkeep`,
    remedy: (d) => `make sure that no perfkeep process is running, then delete ${d.path}`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

function writeRemedy(d: FailureData): string {
  if (d.errno === "EDQUOT")
    return `delete other files of yours or raise the quota, and run the command again; data stored earlier is intact`;
  if (d.errno === "ENOSPC") return `free some space and run the command again; data stored earlier is intact`;
  if (d.errno === "EMFILE" || d.errno === "ENFILE")
    return `raise the limit of open files (ulimit -n) and run the command again`;
  return `check the permissions and the health of the disk, then run the command again; data stored earlier is intact`;
}

/** Failures of `stats` (statistics of commits) and `temp` (temporary files). */
export const scratchFailures = {
  "packed-json-damaged": {
    exit: "found",
    message: (d) => `${d.file} is damaged: ${d.reason}`,
    remedy: () =>
      `delete it with perfkeep stats delete or perfkeep temp delete, or restore a copy; nothing was changed`,
  },
  "bad-stats-name": {
    exit: "usage",
    message: (d) => `${JSON.stringify(d.name)} is not a valid name for statistics: ${d.reason}`,
    remedy: () => `choose a plain file name of at most 200 bytes`,
  },
  "no-stats": {
    exit: "nothingMatched",
    message: (d) => `there are no statistics ${d.name === undefined ? "" : `'${d.name}' `}${d.where}`,
    remedy: () => `perfkeep stats list-files lists them`,
  },
  "bad-stats": {
    exit: "badInput",
    message: (d) => `${d.file}: ${d.reason}`,
    remedy: () => `statistics are a JSON object with one object per id`,
  },
  "outside-of-temp": {
    exit: "usage",
    message: (d) => `${d.path} is not inside ${d.folder}`,
    remedy: () => `perfkeep temp list shows the valid paths`,
  },
  "no-temp": {
    exit: "nothingMatched",
    message: (d) => `there is no temporary file or folder ${d.path}`,
    remedy: () => `perfkeep temp list lists them`,
  },
  "temp-protected": {
    exit: "usage",
    message: (d) => `${Array.isArray(d.paths) ? d.paths.join(", ") : d.paths} is protected; nothing was deleted`,
    remedy: () => `omit --warn to delete the rest, or delete protected files too with --force`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

/** Failures of push, pull and fetch. */
export const sharingFailures = {
  "share-refused": {
    exit: "found",
    message: (d) => {
      const path = d.path === undefined ? "" : `${d.path}: `;
      const commit = d.commit === undefined ? "" : `; introduced by commit ${d.commit}`;
      return `refused data shared by ${d.remote ?? "the remote"}: ${path}${d.reason}${commit}`;
    },
    remedy: () =>
      `no local data was changed; perfkeep pull --skip-damaged merges the rest, perfkeep push ` +
      `--repair repairs the remote`,
  },
  "share-unreachable": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: (d) => `no local data was changed; check that git can reach it: git ls-remote ${d.remote}`,
  },
  "share-login": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}, access denied: ${d.reason}`,
    remedy: (d) =>
      `no local data was changed; log in with an ssh key, a credential helper or a token until git ` +
      `ls-remote ${d.remote} succeeds`,
  },
  "share-proxy": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote} through the proxy: ${d.reason}`,
    remedy: () =>
      `no local data was changed; set git's http.proxy or HTTPS_PROXY to ` +
      `http://USER:PASSWORD@HOST:PORT (http://USER@HOST:PORT uses a credential helper), and list ` +
      `hosts without a proxy in NO_PROXY`,
  },
  "share-certificate": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: () =>
      `no local data was changed; name the trusted authorities with git config --global ` +
      `http.sslCAInfo FILE or GIT_SSL_CAINFO, and a client certificate with http.sslCert and ` +
      `http.sslKey`,
  },
  "share-too-large": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}, size limit exceeded: ${d.reason}`,
    remedy: () =>
      `nothing was changed; skip larger objects with perfkeep push --limit-size 1MByte, or ask the ` +
      `server's owner to raise the limit`,
  },
  "share-declined": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}, declined by the remote: ${d.reason}`,
    remedy: () =>
      `nothing was changed; ask its owner for write access to refs/perfkeep/data/v1, or share ` +
      `through another repository: perfkeep config set share.remote`,
  },
  "share-unsafe": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: () => `if you trust its owner: git config --global --add safe.directory FOLDER`,
  },
  "share-failed": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: () => `nothing is lost: run the same command again to continue`,
  },
  "share-repository": {
    exit: "host",
    message: (d) => `git ${d.action} failed in ${d.path}: ${d.reason}`,
    remedy: () => `nothing is lost: try again; if it is damaged, remove .perun/share/git, its data is fetched again`,
  },
  "no-share-remote": {
    exit: "usage",
    message: (d) =>
      d.name === undefined ? `there is no remote to share with: ${d.reason}` : `${d.name} is not a remote: ${d.reason}`,
    remedy: () =>
      `name one that git remote lists, an address or a folder; perfkeep config set share.remote sets the default`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
