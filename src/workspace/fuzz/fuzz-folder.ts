import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { makeFolder, writeDurably } from "../../store/durable/durable-file.ts";
import { wrapWriteErrors } from "../../store/durable/file-failure.ts";
import { isTemporaryName } from "../../store/durable/temporary-files.ts";
import { encodeLockRecord, readLockRecord } from "../../store/durable/lock-record.ts";
import { StoreLock } from "../../store/durable/lock.ts";
import { listFolder, readRegularFile, lstatOrNull } from "../../store/durable/regular-file.ts";
import { livenessOf } from "../../store/durable/process-identity.ts";
import { decodeCampaign, encodeCampaign, type CampaignState } from "./campaign-state.ts";

/** Folders whose files the state names; what it does not name is swept when the campaign goes on. */
const storedFolders = ["samples", "degradations", "hangs", "faults", "diffs", "profiles"] as const;
export type StoredFolder = (typeof storedFolders)[number];

const subfolders = [...storedFolders, "logs", "graphs", "work"];

const ownNames = new Set<string>([...subfolders, "state.json", "report.json", "running", "lock"]);

const maxLogBytes = 16 << 20;
const lockTimeoutMs = 2000;

/**
 * The folder of a campaign: everything that it writes lies below it, under names that it makes itself. Links in it are
 * never followed.
 */
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
   * Opens the folder for this process alone; makes it where there is none. `limit` is what may be kept in it, in bytes.
   * Fails with `output-folder-taken` where it holds something else, `lock-held` where another campaign goes on in it.
   */
  static open(path: string, command: string, limit: number): FuzzFolder {
    makeFolder(path);
    const folder = new FuzzFolder(path, limit);
    folder.#requireOwn();
    folder.#take(command);
    for (const name of subfolders) makeFolder(join(path, name));
    folder.#used = folder.#sizes();
    folder.#logged = lstatOrNull(folder.#log())?.size ?? 0;
    return folder;
  }

  /** The state of a campaign that was begun here, or null. Fails with `campaign-damaged`. */
  load(): CampaignState | null {
    const path = join(this.path, "state.json");
    const bytes = readRegularFile(path);
    return bytes === null ? null : decodeCampaign(bytes, path);
  }

  save(state: CampaignState): void {
    writeDurably(join(this.path, "state.json"), [encodeCampaign(state)]);
  }

  /** Keeps bytes under that name, unless there is no room for them: false then. */
  store(folder: StoredFolder, name: string, bytes: Uint8Array): boolean {
    const path = join(this.path, folder, basename(name));
    const before = lstatOrNull(path)?.size ?? 0;
    if (this.#used - before + bytes.length > this.#limit) return false;
    // Samples come by the hundred, and what a power cut does to one shows in its digest.
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

  /** The bytes of a sample as they were kept, or null where they are gone or changed. */
  sample({ file, digest }: { readonly file: string; readonly digest: string }): Uint8Array | null {
    const bytes = readRegularFile(join(this.path, "samples", basename(file)));
    return bytes !== null && digestOf(bytes) === digest ? bytes : null;
  }

  has(folder: StoredFolder, name: string): boolean {
    return lstatOrNull(join(this.path, folder, basename(name))) !== null;
  }

  /** Where a kept file lies. */
  pathOf(folder: StoredFolder, name: string): string {
    return join(this.path, folder, name);
  }

  /**
   * Puts bytes where the program finds them: always under the same name, so that all profiles tell of the same command;
   * its ending stays.
   */
  stage(file: string, bytes: Uint8Array): string {
    const path = join(this.path, "work", `input${/\.\w+$/.exec(file)?.[0] ?? ""}`);
    replaceFile(path, bytes);
    return path;
  }

  /** A folder for what the program itself writes. */
  scratch(name: string): string {
    const path = join(this.path, "work", name);
    makeFolder(path);
    return path;
  }

  /** Appends a line to the log of trials, which stops growing at 16 MiB. */
  log(entry: object): void {
    const line = `${JSON.stringify(entry)}\n`;
    if (this.#logged + line.length > maxLogBytes) return;
    wrapWriteErrors(this.#log(), () => appendFileSync(this.#log(), line));
    this.#logged += line.length;
  }

  graph(name: string, content: string | Uint8Array): void {
    writeDurably(join(this.path, "graphs", basename(name)), [
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    ]);
  }

  report(text: string): void {
    writeDurably(join(this.path, "report.json"), [new TextEncoder().encode(text)]);
  }

  /** Removes what a killed campaign kept and its state does not name. */
  sweep(state: CampaignState): void {
    const named = new Set(
      [...state.samples, ...state.finds, ...(state.step ? [state.step] : [])].flatMap(({ file }) =>
        file === null ? [] : [runNumber(file)],
      ),
    );
    for (const folder of storedFolders)
      for (const { name } of listFolder(join(this.path, folder)))
        if (/^\d{6,15}[-.]/.test(name) && !named.has(runNumber(name))) this.remove(folder, name);
  }

  /**
   * Removes what is of no use without a running campaign, and all of a campaign that did not come to begin; lets others
   * in.
   */
  close(): void {
    const hasBegun = lstatOrNull(join(this.path, "state.json")) !== null;
    for (const name of hasBegun ? ["work"] : subfolders)
      rmSync(join(this.path, name), { recursive: true, force: true });
    rmSync(join(this.path, "running"), { force: true });
    if (!hasBegun && listFolder(this.path).length === 0) rmdirSync(this.path);
  }

  #log(): string {
    return join(this.path, "logs", "trials.ndjson");
  }

  #requireOwn(): void {
    const strange = listFolder(this.path).find(
      ({ name }) => !ownNames.has(name) && !isTemporaryName(name) && !name.startsWith("lock-"),
    );
    if (strange) throw new Failure("output-folder-taken", { folder: this.path, name: strange.name });
  }

  /** The lock of stores is held for a moment only; a campaign is noted in a file, which a dead owner loses. */
  #take(command: string): void {
    const path = join(this.path, "running");
    new StoreLock(join(this.path, "lock"), command, lockTimeoutMs).hold(() => {
      const held = readLockRecord(path);
      const fate = held && livenessOf(held.owner);
      if (held && fate !== "dead") throw lockHeld(path, held, fate === "unknown");
      writeDurably(path, [encodeLockRecord(command, randomBytes(16).toString("hex"))]);
    });
  }

  #sizes(): number {
    const files = storedFolders.flatMap((name) =>
      listFolder(join(this.path, name)).map((entry) => join(this.path, name, entry.name)),
    );
    return files.reduce((sum, path) => sum + (lstatOrNull(path)?.size ?? 0), 0);
  }
}

/**
 * Whatever stands there goes first, so that nothing is written through a link that the program may have put in its
 * place.
 */
function replaceFile(path: string, bytes: Uint8Array): void {
  wrapWriteErrors(path, () => {
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, bytes, { flag: "wx" });
  });
}

/** The number of the run that a file belongs to. */
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
