import { join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import { compareByCodePoint } from "../../formats/text/code-points.ts";
import { readProfileHeader, type ProfileHeader } from "../../formats/profile/profile-header.ts";
import { createDurably, removeDurably } from "../durable/durable-file.ts";
import { entriesOf, readPlainFile, statOf } from "../durable/regular-file.ts";

/** A profile in `jobs/`: measured, not yet registered at its version. */
export interface PendingFile {
  readonly name: string;
  readonly path: string;
  /** Time of last change, ms since 1970. */
  readonly mtimeMs: number;
}

/** As lists show it: `object` is empty, for nothing is stored yet. */
export interface PendingProfile extends ListedProfile {
  readonly path: string;
}

const nameCap = 200;

/** The pending profiles: plain files in one folder. What people put there by hand counts as well. */
export class Pending {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Files whose names end in "perf" (Perun's rule), by name in code point order. Links, folders and names that we would
   * refuse are left aside.
   */
  list(): PendingFile[] {
    const names = entriesOf(this.folder)
      .filter((entry) => entry.isFile() && entry.name.endsWith("perf") && flawOf(entry.name) === null)
      .map((entry) => entry.name);
    return names.toSorted(compareByCodePoint).flatMap((name) => this.#found(name));
  }

  /**
   * What the headers of the pending profiles say, the newest first, also within a second; files that are no profiles
   * are left out.
   */
  profiles(): PendingProfile[] {
    const newestFirst = this.list().toSorted((a, b) => b.mtimeMs - a.mtimeMs);
    return newestFirst.flatMap(({ name, path, mtimeMs }) => {
      const header = headerOrNull(path, name);
      if (header === null) return [];
      const { type, cmd, workload, collector, postprocessors } = header;
      return [
        { name, path, time: Math.round(mtimeMs / 1000), type, cmd, workload, collector, postprocessors, object: "" },
      ];
    });
  }

  /** Fails with `not-pending` when there is no such file. */
  read(name: string): Uint8Array {
    const bytes = readPlainFile(this.pathOf(name));
    if (bytes === null) throw new Failure("not-pending", { name });
    return bytes;
  }

  /** Durable once it returns the path. Never replaces: fails with `name-taken`. */
  create(name: string, chunks: Iterable<Uint8Array>): string {
    const path = this.pathOf(name);
    if (!createDurably(path, chunks)) throw new Failure("name-taken", { path });
    return path;
  }

  /** False when it was gone already. */
  remove(name: string): boolean {
    return removeDurably(this.pathOf(name));
  }

  /** Fails with `bad-profile-name` for everything that is not a plain file name. */
  pathOf(name: string): string {
    return join(this.folder, checkedName(name));
  }

  #found(name: string): PendingFile[] {
    const path = join(this.folder, name);
    const stat = statOf(path);
    return stat === null ? [] : [{ name, path, mtimeMs: stat.mtimeMs }];
  }
}

function headerOrNull(path: string, name: string): ProfileHeader | null {
  try {
    const bytes = readPlainFile(path);
    return bytes === null ? null : readProfileHeader(bytes, name);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** `name` when it can name a profile, in `jobs/` and in version indexes; fails with `bad-profile-name` otherwise. */
export function checkedName(name: string): string {
  const reason = flawOf(name);
  if (reason !== null) throw new Failure("bad-profile-name", { name: name.slice(0, nameCap), reason });
  return name;
}

/** Why `name` cannot name a profile, or null when it can. */
export function flawOf(name: string): string | null {
  if (name === "" || name === "." || name === "..") return "it names no file";
  if (/[/\\]/.test(name)) return "it holds a slash or backslash";
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return "it holds a control character";
  if (name.startsWith("-")) return "it begins like an option";
  if (/\p{Surrogate}/u.test(name)) return "it is not valid Unicode";
  if (new TextEncoder().encode(name).length > nameCap) return `it has more than ${nameCap} bytes`;
  return null;
}
