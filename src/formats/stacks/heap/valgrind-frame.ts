import { unreachable, type Frame } from "../../traces/call-trace.ts";

/** Frames by what valgrind writes: the same text is the same frame, which many stacks have. */
export class ValgrindFrames {
  readonly #known = new Map<string, Frame>();

  of(text: string): Frame {
    let frame = this.#known.get(text);
    if (frame === undefined) this.#known.set(text, (frame = valgrindFrame(text)));
    return frame;
  }
}

/**
 * A frame as valgrind writes it: `0x1234: NAME (FILE:LINE)`, `0x1234: NAME (in LIBRARY)`, `0x1234: NAME`, `0x1234:
 * ???`.
 */
export function valgrindFrame(text: string): Frame {
  const [, known = text] = /^0x[0-9A-Fa-f]+: (.*)$/s.exec(text) ?? [];
  const open = openingOf(known);
  const place = known.endsWith(")") && open > 0 ? known.slice(open + 2, -1) : "";
  const colon = place.lastIndexOf(":");
  const isLine = colon > 0 && /^\d{1,9}$/.test(place.slice(colon + 1));
  const isPlace = isLine || place.startsWith("in ");
  const name = isPlace ? known.slice(0, open) : known;
  const source = isLine ? place.slice(0, colon) : unreachable;
  return { function: name === "???" ? "?" : name, source, line: isLine ? Number(place.slice(colon + 1)) : 0 };
}

/** Names and paths may have brackets, too: a path that begins at the root tells best. */
function openingOf(text: string): number {
  const known = Math.max(text.lastIndexOf(" (in /"), text.lastIndexOf(" (/"));
  return known >= 0 ? known : text.lastIndexOf(" (");
}
