import { isDigest } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { decodeProfile } from "../../formats/profile/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * The content of a stored object in pieces; verified once it has been read to its end. A profile is checked first to be
 * readable as one.
 */
export async function catObject(
  workspace: Workspace,
  id: string,
): Promise<{ readonly kind: string; readonly body: AsyncIterable<Uint8Array> }> {
  if (!isDigest(id)) throw new Failure("bad-object-id", { id });
  const { objects } = workspace.store();
  const { header, body } = await objects.open(id);
  if (header.kind !== "profile") return { kind: header.kind, body };
  const profile = objects.get(id).body;
  decodeProfile(profile);
  return { kind: header.kind, body: once(profile) };
}

async function* once(piece: Uint8Array): AsyncIterable<Uint8Array> {
  yield piece;
}
