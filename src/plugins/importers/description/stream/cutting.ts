import type { Cut } from "../../../../formats/input-description.ts";
import type { Spot } from "./locator.ts";

/** Blanks that a content ends at, tried from the last to the first; those of the location come before them. */
const blanks = "\t\n\v\f\r ";

/** The content in the text beside a mark: up to the terminator, so many characters, or one word. */
export function cutSpot({ text, terminator }: Spot, { length, blanks: own = "" }: Cut, leads: boolean): string {
  const stripped = printable(text).trim();
  if (terminator) return cutAt(stripped, terminator, leads);
  if (length !== undefined) return length === 0 ? stripped : stripped.slice(0, length).trim();
  const blank = [...own, ...blanks].findLast((character) => stripped.includes(character));
  if (blank === undefined) return stripped;
  const words = stripped.split(blank).filter((word) => word.trim() !== "");
  return (words.at(leads ? -1 : 0) ?? "").trim();
}

function cutAt(text: string, terminator: string, leads: boolean): string {
  const at = leads ? text.lastIndexOf(terminator) : text.indexOf(terminator);
  if (at < 0) return text;
  return (leads ? text.slice(at + terminator.length) : text.slice(0, at)).trim();
}

/** Without control characters other than blanks. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f]/g, "");
}
