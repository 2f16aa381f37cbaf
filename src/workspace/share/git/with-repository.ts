import { rmSync } from "node:fs";
import { isFailure } from "../../../core/failures/index.ts";
import { wrapWriteErrors } from "../../../store/durable/index.ts";
import { ShareRepository } from "./share-repository.ts";

/** Note for the user after a rebuild. */
const rebuiltNote =
  ".perun/share/git was damaged and has been recreated; nothing is lost, its data can be fetched again";

/**
 * Calls `action` with the share repository. If that is damaged, recreates it, since all its data can be fetched again,
 * and retries once; the action must be idempotent. Its second argument are notes for the user.
 */
export async function withRepository<T>(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  action: (repository: ShareRepository, notes: readonly string[]) => Promise<T>,
): Promise<T> {
  let repository: ShareRepository | undefined;
  try {
    repository = await ShareRepository.open(folder, environment);
    repository.clearLeftovers();
    return await action(repository, []);
  } catch (error) {
    if (!(await isDamage(error, folder, repository))) throw error;
  }
  wrapWriteErrors(folder, () => rmSync(folder, { recursive: true, force: true }));
  return action(await ShareRepository.open(folder, environment), [rebuiltNote]);
}

async function isDamage(error: unknown, folder: string, repository: ShareRepository | undefined): Promise<boolean> {
  if (isFailure(error, "not-a-plain-file") || (isFailure(error, "cannot-read") && error.data["errno"] === "ENOTDIR"))
    return String(error.data["path"]).startsWith(folder);
  const codes = ["share-repository", "share-refused", "share-failed"] as const;
  return (
    repository !== undefined && codes.some((code) => isFailure(error, code)) && (await repository.check()) !== null
  );
}
