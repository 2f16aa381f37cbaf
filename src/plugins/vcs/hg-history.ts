import type { VersionId } from "../../core/digest.ts";
import type { MinorVersion } from "../../core/version.ts";

/** One version a line, as JSON: a name or message may hold any character. */
export const versionTemplate = "{dict(id=node,p1=p1.node,p2=p2.node,user=author,date=date|hgdate,desc=desc)|json}\\n";

/** What hg calls the version before the first, and what it calls the working directory: neither is a version. */
export function isVirtual(id: string): boolean {
  return /^(?:0{40}|f{40})$/.test(id);
}

interface Printed {
  readonly id: string;
  readonly p1: string;
  readonly p2: string;
  readonly user: string;
  /** Seconds since 1970 UTC, a blank, the offset of the author's clock. */
  readonly date: string;
  readonly desc: string;
}

/** Turns what `versionTemplate` printed into versions, piece by piece; a line that is cut by a piece comes with the next. */
export class HgHistoryReader {
  #pending = "";

  read(text: string): MinorVersion[] {
    const lines = (this.#pending + text).split("\n");
    this.#pending = lines.pop() ?? "";
    return lines.map((line) => versionOf(JSON.parse(line) as Printed));
  }
}

function versionOf({ id, p1, p2, user, date, desc }: Printed): MinorVersion {
  const [, author = user, email = ""] = /^(.*?)\s*<([^<>]*)>\s*$/s.exec(user) ?? [];
  return {
    id: id as VersionId,
    parents: [p1, p2].filter((parent) => !isVirtual(parent)) as VersionId[],
    author,
    email,
    date: Number(date.split(" ")[0]) || 0,
    description: desc,
  };
}
