import type { Digest } from "../../core/versions/digest.ts";
import { encodeObject } from "../../formats/store/object.ts";
import { normaliseProfile } from "../../formats/profile/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The name a profile would get in the store, without storing it. */
export function hashObject(workspace: Workspace, path: string): Digest {
  const profile = normaliseProfile(workspace.files.read(path), path);
  return encodeObject("profile", profile.type, profile.body).digest;
}
