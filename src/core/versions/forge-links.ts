import type { VersionId } from "./digest.ts";

/** Path segment of commit pages, by host name of known forges. */
const pages: Readonly<Record<string, string>> = {
  "github.com": "commit",
  "gitlab.com": "-/commit",
  "bitbucket.org": "commits",
  "codeberg.org": "commit",
  "gitea.com": "commit",
  "git.sr.ht": "commit",
  "gitlab.gnome.org": "-/commit",
  "gitlab.freedesktop.org": "-/commit",
  "salsa.debian.org": "-/commit",
  "invent.kde.org": "-/commit",
};

/**
 * The web pages of the commits of a repository, from the untrusted address of its remote (`https://…`, `ssh://git@…`,
 * `git@host:path`); null if it is not a repository at a known forge. User names and passwords are omitted.
 */
export function commitLinks(remote: string): ((id: VersionId) => string) | null {
  const [, host = "", whole = ""] = addressOf(remote) ?? [];
  const name = host.toLowerCase();
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined) return null;
  const path = whole.replace(/\.git$/, "");
  return (id) => `https://${name}/${path}/${page}/${id}`;
}

const longest = 1000;
/** Characters of names of owners and repositories; `..` is excluded below. */
const pathForm = String.raw`(~?[\w.-]+(?:/[\w.-]+){1,20})/?`;
const forms = [
  new RegExp(String.raw`^https?://(?:[^\s/@]*@)?([\w.-]+)(?::(?:80|443))?/${pathForm}$`, "i"),
  new RegExp(String.raw`^(?:git\+)?ssh://(?:[^\s/@]*@)?([\w.-]+)(?::\d{1,5})?/${pathForm}$`, "i"),
  new RegExp(String.raw`^(?:[^\s/@:]*@)?([\w.-]+):${pathForm}$`, "i"),
];

/** `[whole, host, path]`. */
function addressOf(remote: string): RegExpExecArray | null {
  if (remote.length > longest || /(?:^|[/:])\.{1,2}(?:\/|$)/.test(remote)) return null;
  return forms.map((form) => form.exec(remote)).find((found) => found !== null) ?? null;
}

/**
 * Text as a terminal hyperlink (OSC 8, VTE's specification); plain text unless `address` is printable ASCII without
 * blanks.
 */
export function terminalLink(text: string, address: string): string {
  return /^(?:https|file):\/\/[\x21-\x7e]*$/.test(address) && address.length <= 2000
    ? `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`
    : text;
}
