import { rmSync } from "node:fs";
import { isFailure } from "../../../core/failures/failure.ts";
import { wrapWriteErrors } from "../../../store/durable/file-failure.ts";
import { ShareRepository } from "./share-repository.ts";

/** What is told where the repository was made anew. */
const rebuiltNote =
  "what .perun/share/git held was damaged and has been removed; nothing is lost, for all of it can be fetched again";

/**
 * Runs `action` in the repository of what travels. Where that turns out to be damaged it is made anew, since all of it
 * can be fetched again, and the action is done once more: it has to be one that may be done again after a kill. Its
 * second word is what to tell the user.
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
