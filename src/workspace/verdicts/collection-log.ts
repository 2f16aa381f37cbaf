import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { VersionId } from "../../core/versions/digest.ts";
import { makeFolder } from "../../store/durable/durable-file.ts";
import { writing } from "../../store/durable/file-failure.ts";

/**
 * What measuring a version before a check said: `.perun/logs/<version>-precollect.log`, which Perun has too. Text is
 * added at the end.
 */
export class CollectionLog {
  readonly #folder: string;

  constructor(perun: string) {
    this.#folder = join(perun, "logs");
  }

  add(version: VersionId, text: string): void {
    makeFolder(this.#folder);
    const path = join(this.#folder, `${version}-precollect.log`);
    // A link in a cloned instance may lead anywhere.
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    writing(path, () => {
      const file = openSync(path, flags, 0o666);
      try {
        for (let bytes = new TextEncoder().encode(text); bytes.length > 0;)
          bytes = bytes.subarray(writeSync(file, bytes));
      } finally {
        closeSync(file);
      }
    });
  }
}
