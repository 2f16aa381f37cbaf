import type { VersionId } from "../../core/versions/digest.ts";
import { asciiText, terminalText } from "../../core/text/terminal-text.ts";
import type { Session } from "../session.ts";
import { paintFor, type Paint } from "./paint.ts";

/** What text is laid out for: a terminal of some width, or a pipe or file, where nothing has to fit. */
export interface Medium {
  /** Columns; Infinity where nothing has to fit. */
  readonly width: number;
  /** Byte for byte as Perun prints it: columns are as wide as it makes them, and nothing has to fit. */
  readonly asPerun: boolean;
  /** Characters beyond ASCII can be shown. */
  readonly unicode: boolean;
  readonly ellipsis: string;
  /** Untrusted text as one line that the medium may see. */
  readonly shown: (text: string) => string;
  /** A line of shown texts, colours and our own drawing, as the medium may see it. */
  readonly drawn: (line: string) => string;
  /** What is shown of a version, which where possible is a link to its page at the repository's forge. */
  readonly version: (shown: string, id: VersionId) => string;
  readonly paint: Paint;
}

const drawing: Readonly<Record<string, string>> = {
  "═": "=",
  "▣": "#",
  "└": "+",
  "…": "...",
  "─": "-",
  "│": "|",
  "→": "->",
  "±": "+/-",
};

/**
 * Where the text of a session goes, asked once its pager is there. `compat`: a program whose text it is to be, byte for
 * byte.
 */
export async function mediumOf(session: Session, compat?: string): Promise<Medium> {
  const { output, unicode } = session;
  const isPlain = compat !== undefined || unicode;
  return {
    width: compat === undefined ? output.room : Number.POSITIVE_INFINITY,
    asPerun: compat === "perun",
    unicode: isPlain,
    ellipsis: isPlain ? "…" : "...",
    shown: isPlain ? terminalText : (text) => asciiText(terminalText(text)),
    drawn: isPlain ? (line) => line : inAscii,
    version: compat === undefined && output.options.hyperlinks ? await versionLinks(session) : (shown) => shown,
    paint: paintFor(output.options.color),
  };
}

/** What was shown already is escaped, so that an escape in it is one of our colours. */
function inAscii(line: string): string {
  // oxlint-disable-next-line no-control-regex -- colours begin with one
  return line.replace(/[^\x20-\x7e\x1b]+/gu, (beyond) =>
    asciiText(beyond.replace(/./gu, (char) => drawing[char] ?? char)),
  );
}

/** Most commands print no links. */
async function versionLinks(session: Session): Promise<Medium["version"]> {
  return (await import("./links.ts")).versionLinks(session);
}
