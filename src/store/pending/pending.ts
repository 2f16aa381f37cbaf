import { join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import type { ListedProfile } from "../../core/profiles/index.ts";
import { compareByCodePoint } from "../../formats/text/index.ts";
import { readProfileHeader, type ProfileHeader } from "../../formats/profile/index.ts";
import { createDurably, removeDurably, listFolder, readRegularFile, lstatOrNull } from "../durable/index.ts";

/** A profile in `jobs/`: collected, but not yet registered at its version. */
export interface PendingFile {
  readonly name: string;
  readonly path: string;
  /** Time of last change, ms since 1970. */
  readonly mtimeMs: number;
}

/** A pending profile for lists. `object` is empty, since nothing is stored yet. */
export interface PendingProfile extends ListedProfile {
  readonly path: string;
}

const maxNameBytes = 200;

/** The pending profiles: regular files in one folder, including those that users put there. */
export class Pending {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Files whose names end in "perf" (Perun's rule), by name in code point order. Skips links, folders and invalid
   * names.
   */
  list(): PendingFile[] {
    const names = listFolder(this.folder)
      .filter((entry) => entry.isFile() && entry.name.endsWith("perf") && profileNameError(entry.name) === null)
      .map((entry) => entry.name);
    return names.toSorted(compareByCodePoint).flatMap((name) => this.#stat(name));
  }

  /** The headers of the pending profiles, newest first, also within a second. Skips files that are not profiles. */
  profiles(): PendingProfile[] {
    const newestFirst = this.list().toSorted((a, b) => b.mtimeMs - a.mtimeMs);
    return newestFirst.flatMap(({ name, path, mtimeMs }) => {
      const header = headerOrNull(path, name);
      if (header === null) return [];
      const { origin, type, cmd, workload, collector, postprocessors } = header;
      const time = Math.round(mtimeMs / 1000);
      const facts = { type, cmd, workload, collector, postprocessors, ...(origin === undefined ? {} : { origin }) };
      return [{ name, path, time, ...facts, object: "" }];
    });
  }

  /** Fails with `not-pending` if there is no such file. */
  read(name: string): Uint8Array {
    const bytes = readRegularFile(this.pathOf(name));
    if (bytes === null) throw new Failure("not-pending", { name });
    return bytes;
  }

  /** Durable once it returns the path. Never replaces: fails with `name-taken`. */
  create(name: string, chunks: Iterable<Uint8Array>): string {
    const path = this.pathOf(name);
    if (!createDurably(path, chunks)) throw new Failure("name-taken", { path });
    return path;
  }

  /** False if there was no such file. */
  remove(name: string): boolean {
    return removeDurably(this.pathOf(name));
  }

  /** Fails with `bad-profile-name` if `name` is not a plain file name. */
  pathOf(name: string): string {
    return join(this.folder, checkProfileName(name));
  }

  #stat(name: string): PendingFile[] {
    const path = join(this.folder, name);
    const stat = lstatOrNull(path);
    return stat === null ? [] : [{ name, path, mtimeMs: stat.mtimeMs }];
  }
}

function headerOrNull(path: string, name: string): ProfileHeader | null {
  try {
    const bytes = readRegularFile(path);
    return bytes === null ? null : readProfileHeader(bytes, name);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** `name` if it is valid in `jobs/` and version indexes. Fails with `bad-profile-name`. */
export function checkProfileName(name: string): string {
  const reason = profileNameError(name);
  if (reason !== null) throw new Failure("bad-profile-name", { name: name.slice(0, maxNameBytes), reason });
  return name;
}

/** Why `name` is not a valid profile name, or null if it is. */
export function profileNameError(name: string): string | null {
  if (name === "" || name === "." || name === "..") return "it names no file";
  if (/[/\\]/.test(name)) return "it holds a slash or backslash";
  // oxlint-disable-next-line no-control-regex -- searches for control characters
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return "it holds a control character";
  if (name.startsWith("-")) return "it begins like an option";
  if (/\p{Surrogate}/u.test(name)) return "it is not valid Unicode";
  if (new TextEncoder().encode(name).length > maxNameBytes) return `it has more than ${maxNameBytes} bytes`;
  return null;
}
