import { JsonPlace } from "./json-place.ts";

/**
 * The objects of JSON that stand amid other text: on a line of their own, or over lines of which the first is `{` and the last is `}` with the same
 * indentation. What is no JSON is passed over; a beginning without an end is given up where the next object begins.
 */
export function jsonWithin(text: string, file: string): JsonPlace[] {
  const found: JsonPlace[] = [];
  let open: { readonly indent: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    const indent = line.slice(0, line.length - line.trimStart().length);
    if (trimmed.startsWith("{") && (open === undefined || indent.length <= open.indent.length)) {
      open = trimmed.endsWith("}") ? undefined : { indent, lines: [] };
      const place = open ? undefined : JsonPlace.within(trimmed, file);
      if (place) found.push(place);
    }
    open?.lines.push(line);
    if (open && trimmed === "}" && indent === open.indent) {
      const place = JsonPlace.within(open.lines.join("\n"), file);
      if (place) found.push(place);
      open = undefined;
    }
  }
  return found;
}
