import { isFailure } from "../../core/failures/failure.ts";
import { JsonLocation } from "./json-location.ts";

/**
 * The objects of JSON that stand amid other text: on a line of their own, or over lines of which the first is `{` and
 * the last is `}` with the same indentation. What is no JSON is passed over; a beginning without an end is given up
 * where the next object begins.
 */
export function jsonWithin(text: string, file: string): JsonLocation[] {
  const found: JsonLocation[] = [];
  let open: { readonly indent: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    const indent = line.slice(0, line.length - line.trimStart().length);
    if (trimmed.startsWith("{") && (open === undefined || indent.length <= open.indent.length)) {
      open = trimmed.endsWith("}") ? undefined : { indent, lines: [] };
      const place = open ? undefined : JsonLocation.within(trimmed, file);
      if (place) found.push(place);
    }
    open?.lines.push(line);
    if (open && trimmed === "}" && indent === open.indent) {
      const place = JsonLocation.within(open.lines.join("\n"), file);
      if (place) found.push(place);
      open = undefined;
    }
  }
  return found;
}

/**
 * The document that bytes are; or where they are none, those of the objects amid other text that have all the members.
 * Fails as `JsonPlace.document` does where there are none.
 */
export function documentsWithin(bytes: Uint8Array, file: string, ...members: readonly string[]): JsonLocation[] {
  try {
    return [JsonLocation.document(bytes, file)];
  } catch (error) {
    const found = isFailure(error, "not-json") ? jsonWithin(new TextDecoder().decode(bytes), file) : [];
    const whole = found.filter((each) => members.every((member) => each.maybe(member) !== undefined));
    if (whole.length === 0) throw error;
    return whole;
  }
}
