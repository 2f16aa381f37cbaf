import { readdirSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { experimentHome, isServer } from "../experiments/index.ts";
import { triagePath } from "../verdicts/index.ts";
import type { Workspace } from "../workspace.ts";

/** Kinds of data shown by pages, by what changes them. */
export const stateKinds = ["profiles", "experiments", "triage"] as const;

/** A fingerprint for each kind; it differs after a change. */
export type StoreState = Readonly<Record<(typeof stateKinds)[number], string>>;

type StateFiles = Readonly<Record<keyof StoreState, readonly string[]>>;

/** Files of the repository that change when the head moves. */
const headFiles = ["HEAD", "logs/HEAD", "packed-refs"];

/**
 * Detects changes of the store from the times of about three hundred files and folders, in about 1 ms and without
 * opening any: every file of the store is written by renaming, which changes its folder. Changes of a database server
 * are not detected.
 */
export class StoreStateReader {
  readonly #files: StateFiles;
  readonly #objects: string | undefined;

  private constructor(files: StateFiles, objects: string | undefined) {
    this.#files = files;
    this.#objects = objects;
  }

  static async open(workspace: Workspace, database?: string): Promise<StoreStateReader> {
    const triage = await triagePath(workspace);
    const root = triage === null ? workspace.world.directory : join(triage, "..");
    const home = experimentHome(workspace, database).database;
    const files = {
      profiles: [...headFiles.map((name) => join(root, ".git", name)), join(root, "perfkeep.thresholds.yml")],
      experiments: isServer(home) ? [] : [home, `${home}.wal`],
      triage: triage === null ? [] : [triage],
    };
    return new StoreStateReader(files, workspace.hasInstance() ? join(workspace.perun(), "objects") : undefined);
  }

  read(): StoreState {
    const { profiles, experiments, triage } = this.#files;
    return {
      profiles: fingerprintOf([...this.#objectFolders(), ...profiles]),
      experiments: fingerprintOf(experiments),
      triage: fingerprintOf(triage),
    };
  }

  #objectFolders(): string[] {
    const objects = this.#objects;
    if (objects === undefined) return [];
    try {
      return [objects, ...readdirSync(objects).map((name) => join(objects, name))];
    } catch {
      return [objects];
    }
  }
}

function fingerprintOf(paths: readonly string[]): string {
  return paths.map((path) => fileFingerprint(path)).join(" ");
}

function fileFingerprint(path: string): string {
  const facts = statOf(path);
  return facts === undefined ? "" : `${facts.ino}:${facts.size}:${facts.mtimeMs}`;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
