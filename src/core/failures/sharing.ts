import type { FailureKind } from "./kind.ts";

/** Failures of push, pull and fetch. */
export const sharingFailures = {
  "share-refused": {
    exit: "found",
    message: (d) =>
      `what ${d.remote ?? "the remote"} shares is refused: ${d.path === undefined ? "" : `${d.path}: `}${d.reason}${d.commit === undefined ? "" : `; it came with commit ${d.commit}`}`,
    remedy: () =>
      `nothing was changed here; perfkeep pull --skip-damaged takes over the rest, perfkeep push --repair mends the remote`,
  },
  "share-unreachable": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: (d) => `nothing was changed here; see whether git itself gets there: git ls-remote ${d.remote}`,
  },
  "share-login": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}, which does not let you in: ${d.reason}`,
    remedy: (d) =>
      `nothing was changed here; a key of ssh, a credential helper or a token has to say who you are: git ls-remote ${d.remote} tells when it does`,
  },
  "share-proxy": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote} through the proxy: ${d.reason}`,
    remedy: () =>
      `nothing was changed here; git's http.proxy, or HTTPS_PROXY, is http://USER:PASSWORD@HOST:PORT (http://USER@HOST:PORT asks a credential helper), and NO_PROXY lists hosts that need none`,
  },
  "share-certificate": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: () =>
      `nothing was changed here; git config --global http.sslCAInfo FILE, or GIT_SSL_CAINFO, names the authorities to believe; where the server wants to know who you are, http.sslCert and http.sslKey say it`,
  },
  "share-too-large": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}, which takes no more at once: ${d.reason}`,
    remedy: () =>
      `nothing was changed; perfkeep push --limit-size 1MByte leaves out what is larger, or whoever keeps it allows more`,
  },
  "share-declined": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}, which does not want it: ${d.reason}`,
    remedy: () =>
      `nothing was changed; whoever keeps it can allow you to write refs/perfkeep/data/v1 there, or share through another repository: perfkeep config set share.remote`,
  },
  "share-unsafe": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: () => `should you trust who owns it, tell git so: git config --global --add safe.directory FOLDER`,
  },
  "share-failed": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: () => `nothing is lost: the same command goes on from there`,
  },
  "share-repository": {
    exit: "host",
    message: (d) => `git ${d.action} failed in ${d.path}: ${d.reason}`,
    remedy: () =>
      `nothing is lost: try again; should it be damaged, remove .perun/share/git: everything in it is fetched again`,
  },
  "no-share-remote": {
    exit: "usage",
    message: (d) =>
      d.name === undefined ? `there is no remote to share with: ${d.reason}` : `${d.name} is no remote: ${d.reason}`,
    remedy: () =>
      `name one that git remote lists, or give an address or a folder; perfkeep config set share.remote keeps a choice`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
