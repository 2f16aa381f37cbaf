import { unreachable, type Frame } from "../../traces/index.ts";

/** Caches frames by their text, because stacks share them. */
export class ValgrindFrames {
  readonly #known = new Map<string, Frame>();

  of(text: string): Frame {
    let frame = this.#known.get(text);
    if (frame === undefined) this.#known.set(text, (frame = valgrindFrame(text)));
    return frame;
  }
}

/**
 * Parses a frame of valgrind: `0x1234: NAME (FILE:LINE)`, `0x1234: NAME (in LIBRARY)`, `0x1234: NAME` or `0x1234: ???`.
 */
export function valgrindFrame(text: string): Frame {
  const [, known = text] = /^0x[0-9A-Fa-f]+: (.*)$/s.exec(text) ?? [];
  const open = openingOf(known);
  const location = known.endsWith(")") && open > 0 ? known.slice(open + 2, -1) : "";
  const colon = location.lastIndexOf(":");
  const hasLine = colon > 0 && /^\d{1,9}$/.test(location.slice(colon + 1));
  const isLocation = hasLine || location.startsWith("in ");
  const name = isLocation ? known.slice(0, open) : known;
  const source = hasLine ? location.slice(0, colon) : unreachable;
  return { function: name === "???" ? "?" : name, source, line: hasLine ? Number(location.slice(colon + 1)) : 0 };
}

/** The start of the location. Names and paths may contain parentheses, so absolute paths are tried first. */
function openingOf(text: string): number {
  const known = Math.max(text.lastIndexOf(" (in /"), text.lastIndexOf(" (/"));
  return known >= 0 ? known : text.lastIndexOf(" (");
}
