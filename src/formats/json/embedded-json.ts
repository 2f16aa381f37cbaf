import { isFailure } from "../../core/failures/index.ts";
import { JsonLocation } from "./json-location.ts";

/** Takes what looks like an object but is no JSON, and the number of its first line. */
type OnDamaged = (text: string, line: number) => void;

/**
 * The JSON objects within other text: on one line, or on lines from a `{` to a `}` with the same indentation. Text that
 * is not JSON is skipped. An object without an end is dropped where the next one begins.
 */
export function embeddedJson(text: string, file: string, onDamaged: OnDamaged = () => {}): JsonLocation[] {
  const found: JsonLocation[] = [];
  let open: { readonly indent: string; readonly lines: string[]; readonly first: number } | undefined;
  const add = (object: string, first: number): void => {
    const location = JsonLocation.within(object, file);
    if (location) found.push(location);
    else onDamaged(object, first);
  };
  for (const [at, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    const indent = line.slice(0, line.length - line.trimStart().length);
    if (trimmed.startsWith("{") && (open === undefined || indent.length <= open.indent.length)) {
      if (open) onDamaged(open.lines.join("\n"), open.first);
      open = trimmed.endsWith("}") ? undefined : { indent, lines: [], first: at + 1 };
      if (!open) add(trimmed, at + 1);
    }
    open?.lines.push(line);
    if (open && trimmed === "}" && indent === open.indent) {
      add(open.lines.join("\n"), open.first);
      open = undefined;
    }
  }
  if (open) onDamaged(open.lines.join("\n"), open.first);
  return found;
}

/**
 * The document in `bytes`; if they are not JSON, the embedded objects that have all of `members`. Fails like
 * `JsonLocation.document` if there are none, or if one of them is damaged.
 */
export function embeddedDocuments(bytes: Uint8Array, file: string, ...members: readonly string[]): JsonLocation[] {
  try {
    return [JsonLocation.document(bytes, file)];
  } catch (error) {
    if (!isFailure(error, "not-json")) throw error;
    let isDamaged = false;
    const onDamaged: OnDamaged = (text) => {
      isDamaged ||= members.every((member) => text.includes(JSON.stringify(member)));
    };
    const found = embeddedJson(new TextDecoder().decode(bytes), file, onDamaged);
    const whole = found.filter((each) => members.every((member) => each.maybe(member) !== undefined));
    if (whole.length === 0 || isDamaged) throw error;
    return whole;
  }
}
