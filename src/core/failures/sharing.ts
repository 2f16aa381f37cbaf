import type { FailureKind } from "./kind.ts";

/** Failures of push, pull and fetch. */
export const sharingFailures = {
  "share-refused": {
    exit: "found",
    message: (d) => `what ${d.remote ?? "the remote"} shares is refused: ${d.path === undefined ? "" : `${d.path}: `}${d.reason}`,
    remedy: () => `nothing was changed here; whoever may write there can tell what put it there`,
  },
  "share-failed": {
    exit: "host",
    message: (d) => `cannot ${d.action} ${d.remote}: ${d.reason}`,
    remedy: () =>
      `nothing is lost: the same command goes on from there; should .perun/share/git be damaged, remove it: it is fetched again`,
  },
  "no-share-remote": {
    exit: "usage",
    message: (d) => (d.name === undefined ? `there is no remote to share with: ${d.reason}` : `${d.name} is no remote: ${d.reason}`),
    remedy: () => `name one of git remote, or give an address or a folder; perfkeep config set share.remote keeps a choice`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
