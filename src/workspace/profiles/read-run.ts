import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import { decodeProfile } from "../../formats/profile/profile.ts";
import type { Located } from "./locate.ts";
import type { Workspace } from "../workspace.ts";

/** The profile that was located, decoded; old layouts are upgraded on the way. */
export function readRun(workspace: Workspace, located: Located): Run {
  if (located.kind === "file") return decodeProfile(workspace.files.read(located.path), located.name);
  const { kind, body } = workspace.store().objects.get(located.digest);
  if (kind !== "profile")
    throw new Failure("not-a-profile", { file: `object ${located.digest}`, reason: "it holds an attachment" });
  return decodeProfile(body);
}
