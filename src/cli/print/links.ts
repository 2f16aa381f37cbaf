import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { type VersionId, terminalLink, commitLinks } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import type { Session } from "../session.ts";

/** Formats commits as links to their pages, if there are any. */
export async function versionLinks(session: Session): Promise<(shown: string, id: VersionId) => string> {
  const addressOf = await versionAddresses(session);
  return (shown, id) => terminalLink(shown, addressOf(id));
}

/** Returns addresses of commit pages at the forge of the remote; "" if there are none or links are off. */
export async function versionAddresses({ output, workspace, format }: Session): Promise<(id: VersionId) => string> {
  const isShown =
    format === "text" && output.options.hyperlinks && (output.pager === undefined || passesLinks(output.pager));
  const remote = isShown ? await remoteOf(workspace) : null;
  return (remote === null ? null : commitLinks(remote)) ?? (() => "");
}

/** The remote of the repository; null on failures. */
async function remoteOf(workspace: Session["workspace"]): Promise<string | null> {
  try {
    return (await (await workspace.vcs()).remote?.()) ?? null;
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

/** The first version of less that supports links; older ones and other pagers print the escapes. */
const firstLess = 566;

function passesLinks(pager: string): boolean {
  if (basename(pager) !== "less") return false;
  const { stdout } = spawnSync(pager, ["--version"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 1000,
  });
  return Number(/^less (\d{1,6})/.exec(stdout ?? "")?.[1] ?? 0) >= firstLess;
}
