import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import {
  makeFolder,
  writeDurably,
  wrapWriteErrors,
  encodeLockRecord,
  readLockRecord,
  StoreLock,
  listFolder,
  readRegularFile,
  lstatOrNull,
  livenessOf,
} from "../../store/durable/index.ts";
import { decodeCampaign, encodeCampaign, type CampaignState } from "./campaign-state.ts";

/** Folders of files that the state refers to; unreferenced files are removed on resume. */
const storedFolders = ["samples", "degradations", "hangs", "faults", "diffs", "profiles"] as const;
export type StoredFolder = (typeof storedFolders)[number];

const subfolders = [...storedFolders, "logs", "graphs", "work"];

const ownNames = new Set<string>([...subfolders, "state.json", "report.json"]);

const maxLogBytes = 16 << 20;
const lockTimeoutMs = 2000;

/** The output folder of a campaign. All files in it have generated names; links are never followed. */
export class FuzzFolder {
  readonly path: string;
  readonly #limit: number;
  #used = 0;
  #logged = 0;

  private constructor(path: string, limit: number) {
    this.path = path;
    this.#limit = limit;
  }

  /**
   * Opens and locks the folder, creating it if missing; other files in it stay. `limit`: maximum bytes of stored files.
   * Fails with `output-folder-taken` if they have the names of a campaign's, `lock-held` if another campaign uses it.
   */
  static open(path: string, command: string, limit: number): FuzzFolder {
    makeFolder(path);
    const folder = new FuzzFolder(path, limit);
    folder.#requireOwn();
    folder.#lock(command);
    for (const name of subfolders) makeFolder(join(path, name));
    folder.#used = folder.#storedBytes();
    folder.#logged = lstatOrNull(folder.#log())?.size ?? 0;
    return folder;
  }

  /** The saved state, or null. Fails with `campaign-damaged`. */
  load(): CampaignState | null {
    const path = join(this.path, "state.json");
    const bytes = readRegularFile(path);
    return bytes === null ? null : decodeCampaign(bytes, path);
  }

  save(state: CampaignState): void {
    writeDurably(join(this.path, "state.json"), [encodeCampaign(state)]);
  }

  /** Stores a file; false if it exceeds the limit. */
  store(folder: StoredFolder, name: string, bytes: Uint8Array): boolean {
    const path = join(this.path, folder, basename(name));
    const before = lstatOrNull(path)?.size ?? 0;
    if (this.#used - before + bytes.length > this.#limit) return false;
    // Samples are many, and their digests detect damage by a power cut.
    if (folder === "samples") replaceFile(path, bytes);
    else writeDurably(path, [bytes]);
    this.#used += bytes.length - before;
    return true;
  }

  remove(folder: StoredFolder, name: string): void {
    const path = join(this.path, folder, basename(name));
    this.#used -= lstatOrNull(path)?.size ?? 0;
    wrapWriteErrors(path, () => rmSync(path, { force: true }));
  }

  /** The bytes of a sample, or null if missing or changed. */
  sample({ file, digest }: { readonly file: string; readonly digest: string }): Uint8Array | null {
    const bytes = readRegularFile(join(this.path, "samples", basename(file)));
    return bytes !== null && digestOf(bytes) === digest ? bytes : null;
  }

  has(folder: StoredFolder, name: string): boolean {
    return lstatOrNull(join(this.path, folder, basename(name))) !== null;
  }

  /** Path of a stored file. */
  pathOf(folder: StoredFolder, name: string): string {
    return join(this.path, folder, name);
  }

  /**
   * Writes the input of the program, always under the same name, so that all profiles have the same command; keeps the
   * file extension.
   */
  stage(file: string, bytes: Uint8Array): string {
    const path = join(this.path, "work", `input${/\.\w+$/.exec(file)?.[0] ?? ""}`);
    replaceFile(path, bytes);
    return path;
  }

  /** A folder for output of the program. */
  scratch(name: string): string {
    const path = join(this.path, "work", name);
    makeFolder(path);
    return path;
  }

  /** Appends a line to the log of trials, up to 16 MiB. */
  log(entry: object): void {
    const line = `${JSON.stringify(entry)}\n`;
    if (this.#logged + line.length > maxLogBytes) return;
    wrapWriteErrors(this.#log(), () => appendFileSync(this.#log(), line));
    this.#logged += line.length;
  }

  graph(name: string, data: string | Uint8Array): void {
    writeDurably(join(this.path, "graphs", basename(name)), [
      typeof data === "string" ? new TextEncoder().encode(data) : data,
    ]);
  }

  report(text: string): void {
    writeDurably(join(this.path, "report.json"), [new TextEncoder().encode(text)]);
  }

  /** Removes stored files that the state does not name, left by a killed campaign. */
  sweep(state: CampaignState): void {
    const referenced = new Set(
      [...state.samples, ...state.finds, ...(state.step ? [state.step] : [])].flatMap(({ file }) =>
        file === null ? [] : [runNumber(file)],
      ),
    );
    for (const folder of storedFolders)
      for (const { name } of listFolder(join(this.path, folder)))
        if (/^\d{6,15}[-.]/.test(name) && !referenced.has(runNumber(name))) this.remove(folder, name);
  }

  /** Removes temporary files, or everything if the campaign never started, and unlocks the folder. */
  close(): void {
    const hasStarted = lstatOrNull(join(this.path, "state.json")) !== null;
    for (const name of hasStarted ? ["work"] : subfolders)
      rmSync(join(this.path, name), { recursive: true, force: true });
    rmSync(join(this.path, "running"), { force: true });
    if (!hasStarted && listFolder(this.path).length === 0) rmdirSync(this.path);
  }

  #log(): string {
    return join(this.path, "logs", "trials.ndjson");
  }

  #requireOwn(): void {
    const entries = listFolder(this.path);
    if (entries.some(({ name }) => name === "state.json" || name === "running")) return;
    const unexpected = entries.find(
      ({ name }) => ownNames.has(name) && !(lstatOrNull(join(this.path, name))?.isDirectory() && this.#isEmpty(name)),
    );
    if (unexpected) throw new Failure("output-folder-taken", { folder: this.path, name: unexpected.name });
  }

  #isEmpty(name: string): boolean {
    return listFolder(join(this.path, name)).length === 0;
  }

  /**
   * The store lock is held only briefly; the file `running` marks the campaign and is ignored once its owner is dead.
   */
  #lock(command: string): void {
    const path = join(this.path, "running");
    new StoreLock(join(this.path, "lock"), command, lockTimeoutMs).hold(() => {
      const held = readLockRecord(path);
      const fate = held && livenessOf(held.owner);
      if (held && fate !== "dead") throw lockHeld(path, held, fate === "unknown");
      writeDurably(path, [encodeLockRecord(command, randomBytes(16).toString("hex"))]);
    });
  }

  #storedBytes(): number {
    const files = storedFolders.flatMap((name) =>
      listFolder(join(this.path, name)).map((entry) => join(this.path, name, entry.name)),
    );
    return files.reduce((sum, path) => sum + (lstatOrNull(path)?.size ?? 0), 0);
  }
}

/** Removes the old file first, so as not to write through a link created by the program. */
function replaceFile(path: string, bytes: Uint8Array): void {
  wrapWriteErrors(path, () => {
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, bytes, { flag: "wx" });
  });
}

/** Number of the run that a file belongs to. */
function runNumber(name: string): string {
  return /^\d+/.exec(name)?.[0] ?? name;
}

function lockHeld(
  path: string,
  { owner, command, sinceMs }: NonNullable<ReturnType<typeof readLockRecord>>,
  isElsewhere: boolean,
): Failure {
  return new Failure("lock-held", {
    path,
    pid: owner.pid,
    host: owner.host,
    command,
    since: new Date(sinceMs).toISOString(),
    waited: 0,
    elsewhere: isElsewhere ? "on another machine or in another container" : undefined,
  });
}

export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
