import type { VersionId } from "../../core/versions/digest.ts";
import type { MinorVersion } from "../../core/versions/version.ts";

/** Fields end with NUL, which git can print in none of them; a name or message may hold any other byte. */
const fields = ["%H", "%P", "%an", "%ae", "%ct", "%B"];

/**
 * Options of `git log` that make it print versions for `HistoryReader`, in the order of `git rev-list`, whatever is
 * configured.
 */
export const historyOptions = [
  "log",
  "-z",
  `--format=tformat:${fields.join("%x00")}`,
  "--encoding=UTF-8",
  "--no-color",
  "--no-decorate",
  "--no-show-signature",
  "--no-patch",
];

/** Turns the printed stream into versions, piece by piece; a version that is cut by a piece comes with the next. */
export class HistoryReader {
  #pending: string[] = [""];

  /** The versions completed by `text`. Bytes that are no UTF-8 were replaced when it was decoded. */
  read(text: string): MinorVersion[] {
    const [first = "", ...rest] = text.split("\0");
    const pending = this.#pending;
    pending[pending.length - 1] += first;
    const all = rest.length === 0 ? pending : pending.concat(rest);
    const complete = all.length - 1 - ((all.length - 1) % fields.length);
    const versions: MinorVersion[] = [];
    for (let at = 0; at < complete; at += fields.length) versions.push(versionAt(all, at));
    this.#pending = complete === 0 ? all : all.slice(complete);
    return versions;
  }
}

function versionAt(all: readonly string[], at: number): MinorVersion {
  const parents = all[at + 1] ?? "";
  return {
    id: (all[at] ?? "") as VersionId,
    parents: (parents === "" ? [] : parents.split(" ")) as VersionId[],
    author: all[at + 2] ?? "",
    email: all[at + 3] ?? "",
    date: Number(all[at + 4]) || 0,
    description: withoutFinalNewlines(all[at + 5] ?? ""),
  };
}

/** By hand: a pattern anchored at the end takes quadratic time on a message made of newlines. */
function withoutFinalNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end--;
  return end === text.length ? text : text.slice(0, end);
}
