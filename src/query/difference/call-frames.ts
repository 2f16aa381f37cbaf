import { flatText } from "../../core/values/flatten.ts";
import { isList, isObject, textAt, type Json } from "../../core/values/json.ts";
import type { CodePlace } from "../../core/profiles/profile-difference.ts";

/** The calls that led to a row, outermost first; the last one is what the row is about. */
export function callsOf(uid: Json | undefined, trace: Json | undefined, location: Json | undefined): CodePlace[] {
  const frames = (isList(trace) ? trace : []).map((frame) => placeOf(frame, null));
  if (uid === undefined) return frames.toReversed();
  const own = placeOf(uid, location === undefined || location === null ? null : flatText(location));
  // What was called from there (an allocator) is not what the row is about.
  const at = frames.findIndex(
    (frame) => frame.name === own.name && (own.file === null || frame.file === null || frame.file === own.file),
  );
  return at < 0 ? [...frames.toReversed(), own] : frames.slice(at).toReversed();
}

/** A place has one spelling. */
export function placeKey({ name, file }: CodePlace): string {
  return `${file ?? ""}\0${name}`;
}

/** The part behind the last slash: folders differ between the trees in which versions are measured. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function placeOf(frame: Json, location: string | null): CodePlace {
  if (!isObject(frame)) return { name: flatText(frame), file: location };
  const name = textAt(frame, "function") ?? textAt(frame, "func");
  const file = textAt(frame, "source") ?? textAt(frame, "file") ?? textAt(frame, "module") ?? location;
  return name === undefined ? { name: flatText(frame), file: location } : { name, file };
}
