import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { makeFolder, writeDurably } from "../../store/durable/durable-file.ts";
import { writing } from "../../store/durable/file-failure.ts";
import { isTemporaryName } from "../../store/durable/temporary-files.ts";
import { encodeRecord, readRecord } from "../../store/durable/lock-record.ts";
import { StoreLock } from "../../store/durable/lock.ts";
import { entriesOf, readPlainFile, statOf } from "../../store/durable/regular-file.ts";
import { fateOf } from "../../store/durable/process-identity.ts";
import { decodeCampaign, encodeCampaign } from "./campaign-codec.ts";
import type { CampaignState } from "./campaign-state.ts";

/** Folders whose files the state names; what it does not name is swept when the campaign goes on. */
const keptFolders = ["samples", "degradations", "hangs", "faults", "diffs", "profiles"] as const;
export type KeptFolder = (typeof keptFolders)[number];

const subfolders = [...keptFolders, "logs", "graphs", "work"];

const ownNames = new Set<string>([...subfolders, "state.json", "report.json", "running", "lock"]);

const logLimit = 16 << 20;
const patienceMs = 2000;

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
    folder.#logged = statOf(folder.#log())?.size ?? 0;
    return folder;
  }

  /** The state of a campaign that was begun here, or null. Fails with `campaign-damaged`. */
  load(): CampaignState | null {
    const path = join(this.path, "state.json");
    const bytes = readPlainFile(path);
    return bytes === null ? null : decodeCampaign(bytes, path);
  }

  save(state: CampaignState): void {
    writeDurably(join(this.path, "state.json"), [encodeCampaign(state)]);
  }

  /** Keeps bytes under that name, unless there is no room for them: false then. */
  keep(folder: KeptFolder, name: string, bytes: Uint8Array): boolean {
    const path = join(this.path, folder, basename(name));
    const before = statOf(path)?.size ?? 0;
    if (this.#used - before + bytes.length > this.#limit) return false;
    // Samples come by the hundred, and what a power cut does to one shows in its digest.
    if (folder === "samples") putAnew(path, bytes);
    else writeDurably(path, [bytes]);
    this.#used += bytes.length - before;
    return true;
  }

  drop(folder: KeptFolder, name: string): void {
    const path = join(this.path, folder, basename(name));
    this.#used -= statOf(path)?.size ?? 0;
    writing(path, () => rmSync(path, { force: true }));
  }

  /** The bytes of a sample as they were kept, or null where they are gone or changed. */
  sample({ file, digest }: { readonly file: string; readonly digest: string }): Uint8Array | null {
    const bytes = readPlainFile(join(this.path, "samples", basename(file)));
    return bytes !== null && digestOf(bytes) === digest ? bytes : null;
  }

  has(folder: KeptFolder, name: string): boolean {
    return statOf(join(this.path, folder, basename(name))) !== null;
  }

  /** Where a kept file lies. */
  place(folder: KeptFolder, name: string): string {
    return join(this.path, folder, name);
  }

  /**
   * Puts bytes where the program finds them: always under the same name, so that all profiles tell of the same command;
   * its ending stays.
   */
  stage(file: string, bytes: Uint8Array): string {
    const path = join(this.path, "work", `input${/\.\w+$/.exec(file)?.[0] ?? ""}`);
    putAnew(path, bytes);
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
    if (this.#logged + line.length > logLimit) return;
    writing(this.#log(), () => appendFileSync(this.#log(), line));
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
        file === null ? [] : [stem(file)],
      ),
    );
    for (const folder of keptFolders)
      for (const { name } of entriesOf(join(this.path, folder)))
        if (/^\d{6,15}[-.]/.test(name) && !named.has(stem(name))) this.drop(folder, name);
  }

  /**
   * Removes what is of no use without a running campaign, and all of a campaign that did not come to begin; lets others
   * in.
   */
  close(): void {
    const hasBegun = statOf(join(this.path, "state.json")) !== null;
    for (const name of hasBegun ? ["work"] : subfolders)
      rmSync(join(this.path, name), { recursive: true, force: true });
    rmSync(join(this.path, "running"), { force: true });
    if (!hasBegun && entriesOf(this.path).length === 0) rmdirSync(this.path);
  }

  #log(): string {
    return join(this.path, "logs", "trials.ndjson");
  }

  #requireOwn(): void {
    const strange = entriesOf(this.path).find(
      ({ name }) => !ownNames.has(name) && !isTemporaryName(name) && !name.startsWith("lock-"),
    );
    if (strange) throw new Failure("output-folder-taken", { folder: this.path, name: strange.name });
  }

  /** The lock of stores is held for a moment only; a campaign is noted in a file, which a dead owner loses. */
  #take(command: string): void {
    const path = join(this.path, "running");
    new StoreLock(join(this.path, "lock"), command, patienceMs).hold(() => {
      const held = readRecord(path);
      const fate = held && fateOf(held.owner);
      if (held && fate !== "dead") throw lockHeld(path, held, fate === "unknown");
      writeDurably(path, [encodeRecord(command, randomBytes(16).toString("hex"))]);
    });
  }

  #sizes(): number {
    const files = keptFolders.flatMap((name) =>
      entriesOf(join(this.path, name)).map((entry) => join(this.path, name, entry.name)),
    );
    return files.reduce((sum, path) => sum + (statOf(path)?.size ?? 0), 0);
  }
}

/**
 * Whatever stands there goes first, so that nothing is written through a link that the program may have put in its
 * place.
 */
function putAnew(path: string, bytes: Uint8Array): void {
  writing(path, () => {
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, bytes, { flag: "wx" });
  });
}

/** The number of the run that a file belongs to. */
function stem(name: string): string {
  return /^\d+/.exec(name)?.[0] ?? name;
}

function lockHeld(
  path: string,
  { owner, command, sinceMs }: NonNullable<ReturnType<typeof readRecord>>,
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
