import { flatText, isList, isObject, textAt, type Json } from "../../core/values/index.ts";
import type { CodeLocation } from "../../core/profiles/index.ts";

/** The call stack of a row, outermost first; the last call is the one measured. */
export function callsOf(uid: Json | undefined, trace: Json | undefined, location: Json | undefined): CodeLocation[] {
  const frames = (isList(trace) ? trace : []).map((frame) => locationOf(frame, null));
  if (uid === undefined) return frames.toReversed();
  const own = locationOf(uid, location === undefined || location === null ? null : flatText(location));
  // Inner frames (an allocator) are not the measured call.
  const at = frames.findIndex(
    (frame) => frame.name === own.name && (own.file === null || frame.file === null || frame.file === own.file),
  );
  return at < 0 ? [...frames.toReversed(), own] : frames.slice(at).toReversed();
}

/** Unique key of a location. */
export function locationKey({ name, file }: CodeLocation): string {
  return `${file ?? ""}\0${name}`;
}

/** The part after the last slash: folders differ between the trees in which versions are measured. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function locationOf(frame: Json, location: string | null): CodeLocation {
  if (!isObject(frame)) return { name: flatText(frame), file: location };
  const name = textAt(frame, "function") ?? textAt(frame, "func");
  const file = textAt(frame, "source") ?? textAt(frame, "file") ?? textAt(frame, "module") ?? location;
  return name === undefined ? { name: flatText(frame), file: location } : { name, file };
}
