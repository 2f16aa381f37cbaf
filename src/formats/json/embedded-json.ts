import { isFailure } from "../../core/failures/index.ts";
import { JsonLocation } from "./json-location.ts";

/**
 * The JSON objects within other text: on one line, or on lines from a `{` to a `}` with the same indentation. Text that
 * is not JSON is skipped. An object without an end is dropped where the next one begins.
 */
export function embeddedJson(text: string, file: string): JsonLocation[] {
  const found: JsonLocation[] = [];
  let open: { readonly indent: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    const indent = line.slice(0, line.length - line.trimStart().length);
    if (trimmed.startsWith("{") && (open === undefined || indent.length <= open.indent.length)) {
      open = trimmed.endsWith("}") ? undefined : { indent, lines: [] };
      const location = open ? undefined : JsonLocation.within(trimmed, file);
      if (location) found.push(location);
    }
    open?.lines.push(line);
    if (open && trimmed === "}" && indent === open.indent) {
      const location = JsonLocation.within(open.lines.join("\n"), file);
      if (location) found.push(location);
      open = undefined;
    }
  }
  return found;
}

/**
 * The document in `bytes`; if they are not JSON, the embedded objects that have all of `members`. Fails like
 * `JsonLocation.document` if there are none.
 */
export function embeddedDocuments(bytes: Uint8Array, file: string, ...members: readonly string[]): JsonLocation[] {
  try {
    return [JsonLocation.document(bytes, file)];
  } catch (error) {
    const found = isFailure(error, "not-json") ? embeddedJson(new TextDecoder().decode(bytes), file) : [];
    const whole = found.filter((each) => members.every((member) => each.maybe(member) !== undefined));
    if (whole.length === 0) throw error;
    return whole;
  }
}
