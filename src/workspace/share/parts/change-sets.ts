import { shareSummary, type ShareSummary } from "./share-summary.ts";
import type { VersionId } from "../../../core/versions/index.ts";
import { changeKey, isLine } from "../../../formats/store/index.ts";
import type { VersionTexts } from "./set-part.ts";
import type { ShareContext } from "./share-part.ts";

const maxLineLength = 10_000;

/**
 * Results of checks by version: the lines of `.changes`. If two lines concern the same subject, the lesser line counts.
 */
export class SharedChanges implements VersionTexts {
  readonly name = "changes";
  readonly noun = ["version with changes", "versions with changes"] as const;

  findFlaw(text: string): string | null {
    if (text.length > maxLineLength) return `a line has more than ${maxLineLength} characters`;
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    return /[\u0000-\u001f\u007f-\u009f]/.test(text) || text.trim() === ""
      ? "a line is empty or contains control characters"
      : null;
  }

  keyOf(text: string): string {
    return changeKey(text);
  }

  identityOf(text: string): string {
    return text;
  }

  objectPath(): null {
    return null;
  }

  *versions({ workspace }: ShareContext): Iterable<VersionId> {
    for (const { id, companion } of workspace.store().members()) if (companion === ".changes") yield id as VersionId;
  }

  current({ workspace }: Pick<ShareContext, "workspace">, version: VersionId): readonly string[] {
    return workspace
      .store()
      .changes.lines(version)
      .filter((line) => this.#isShared(line));
  }

  isWanted(): boolean {
    return true;
  }

  announce(): void {
    // Lines refer to nothing else.
  }

  replaceAll(
    { workspace }: ShareContext,
    texts: ReadonlyMap<VersionId, readonly string[]>,
  ): ReadonlyMap<VersionId, readonly string[]> {
    const { changes } = workspace.store();
    for (const [version, shared] of texts) {
      const own = changes.lines(version).filter((line) => !this.#isShared(line));
      changes.replaceLines(version, [...own, ...shared]);
    }
    return texts;
  }

  summarize(added: number, removed: number): ShareSummary {
    return shareSummary({ "changes added": added, "changes removed": removed });
  }

  #isShared(line: string): boolean {
    return isLine(line) && this.findFlaw(line) === null;
  }
}
