import type { VersionId } from "./digest.ts";

/** How the pages of versions are called at the forges that are known, by the name of their host. */
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
 * The web pages of the versions of a repository, by the address of its remote (`https://…`, `ssh://git@…`,
 * `git@host:path`), which is untrusted; null where that is not the address of a repository at a known forge. Who logs
 * in there, and with what, is left out.
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
/** Letters, digits and what stands in names of owners and repositories; `..` is told from them below. */
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
 * Text as a link of a terminal (OSC 8, as VTE's specification has it); `address` is one of ASCII without controls and
 * blanks, or there is no link.
 */
export function terminalLink(shown: string, address: string): string {
  return /^(?:https|file):\/\/[\x21-\x7e]*$/.test(address) && address.length <= 2000
    ? `\x1b]8;;${address}\x1b\\${shown}\x1b]8;;\x1b\\`
    : shown;
}
