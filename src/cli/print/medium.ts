import type { VersionId } from "../../core/versions/index.ts";
import { asciiText, terminalText } from "../../core/text/index.ts";
import type { Session } from "../session.ts";
import { paintFor, type Paint } from "./paint.ts";

/** The target of text layout: a terminal with a width, or a pipe or file without limits. */
export interface Medium {
  /** Columns; Infinity for pipes and files. */
  readonly width: number;
  /** Byte-compatible with Perun: its column widths, no limit. */
  readonly asPerun: boolean;
  /** Non-ASCII characters are supported. */
  readonly unicode: boolean;
  readonly ellipsis: string;
  /** Escapes untrusted text to one line. */
  readonly shown: (text: string) => string;
  /** Converts a line of escaped text, colors and line drawing to supported characters. */
  readonly drawn: (line: string) => string;
  /** Formats a commit, as a link to its page at the repository's forge if possible. */
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

/** The medium of a session; call it after starting the pager. `compat`: a program to be byte-compatible with. */
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

/** Text is escaped before, so escape characters are colors. */
function inAscii(line: string): string {
  // oxlint-disable-next-line no-control-regex -- colors start with one
  return line.replace(/[^\x20-\x7e\x1b]+/gu, (beyond) =>
    asciiText(beyond.replace(/./gu, (char) => drawing[char] ?? char)),
  );
}

/** Loaded lazily: most commands print no links. */
async function versionLinks(session: Session): Promise<Medium["version"]> {
  return (await import("./links.ts")).versionLinks(session);
}
