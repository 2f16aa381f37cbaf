import { isDigest } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import { decodeProfile } from "../formats/profile.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The verified content of a stored object; a profile's is checked to be readable as one. */
export function catObject(workspace: Workspace, id: string): { readonly kind: string; readonly body: Uint8Array } {
  if (!isDigest(id)) throw new Failure("bad-object-id", { id });
  const { kind, body } = workspace.store().objects.get(id);
  if (kind === "profile") decodeProfile(body);
  return { kind, body };
}
