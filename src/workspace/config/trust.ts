import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { writeDurably, wrapReadErrors, wrapWriteErrors } from "../../store/durable/index.ts";
import type { Config } from "./config.ts";
import { executableSettings } from "./executable-settings.ts";

/** Shows the commands and asks for confirmation; null without a terminal. */
export type ConfirmCommands = ((path: string, commands: readonly string[]) => Promise<boolean>) | null;

/** Folder of trust records: `$XDG_STATE_HOME/perfkeep/trust`, else below `~/.local/state`. */
export function trustFolder(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(environment["XDG_STATE_HOME"] || join(home, ".local", "state"), "perfkeep", "trust");
}

/**
 * Trust in the commands that the local configuration of an instance names. A clone may contain a `.perun`, so nothing
 * runs until the user has confirmed exactly these commands at this path; any change requires a new confirmation.
 */
export class Trust {
  readonly #folder: string;
  readonly #instance: string;

  /** `folder` holds the records; `instance` is the `.perun` directory. */
  constructor(folder: string, instance: string) {
    this.#folder = folder;
    this.#instance = instance;
  }

  /** True if nothing would run, or the commands, and the programs of the repository's remotes, are confirmed. */
  covers(config: Config, programs: readonly string[] = []): boolean {
    const { fingerprint } = executableSettings(config);
    const isCovered = fingerprint === "" || this.#recorded() === this.#digest(fingerprint);
    return isCovered && this.#unconfirmed(programs).length === 0;
  }

  /**
   * Returns if the commands may run, after asking through `confirm` and recording the answer. Fails with `not-trusted`,
   * which lists the commands, and with `foreign-instance` if the directory belongs to another user.
   */
  async require(config: Config, confirm: ConfirmCommands): Promise<void> {
    const { fingerprint, commands } = executableSettings(config);
    if (fingerprint === "") return;
    this.#requireOwner();
    if (this.#recorded() === this.#digest(fingerprint)) return;
    if (!(await confirm?.(this.#instance, commands)))
      throw new Failure("not-trusted", { path: this.#instance, commands });
    this.#record(fingerprint);
  }

  /**
   * Returns if the programs that the repository's own configuration names for a remote may run, one line each; asks and
   * fails like `require`. Each is confirmed by itself: another remote may need others.
   */
  async requirePrograms(programs: readonly string[], confirm: ConfirmCommands): Promise<void> {
    const unconfirmed = this.#unconfirmed(programs);
    if (unconfirmed.length === 0) return;
    const path = dirname(realpathSync(this.#instance));
    if (!(await confirm?.(path, unconfirmed))) throw new Failure("not-trusted", { path, commands: unconfirmed });
    this.#recordPrograms([...this.#confirmedPrograms(), ...unconfirmed.map((program) => this.#digest(program))]);
  }

  /**
   * Trusts the current commands, and exactly the given programs of the repository's remotes (without them: those that
   * were confirmed before), and returns them.
   */
  grant(config: Config, programs?: readonly string[]): readonly string[] {
    const { fingerprint, commands } = executableSettings(config);
    this.#requireOwner();
    if (fingerprint === "") rmSync(this.#file(), { force: true });
    else this.#record(fingerprint);
    if (programs?.length === 0) rmSync(this.#programsFile(), { force: true });
    else if (programs) this.#recordPrograms(programs.map((program) => this.#digest(program)));
    return [...commands, ...(programs ?? [])];
  }

  /** Removes the confirmations. */
  revoke(): void {
    rmSync(this.#file(), { force: true });
    rmSync(this.#programsFile(), { force: true });
  }

  #unconfirmed(programs: readonly string[]): string[] {
    if (programs.length === 0) return [];
    const confirmed = new Set(this.#confirmedPrograms());
    return programs.filter((program) => !confirmed.has(this.#digest(program)));
  }

  #confirmedPrograms(): string[] {
    const file = this.#programsFile();
    if (!existsSync(file)) return [];
    return wrapReadErrors(file, () => readFileSync(file, "utf8").split("\n").filter(Boolean));
  }

  #requireOwner(): void {
    const owner = statSync(this.#instance).uid;
    const user = process.getuid?.();
    if (user !== undefined && owner !== user) throw new Failure("foreign-instance", { path: this.#instance, owner });
  }

  #digest(fingerprint: string): string {
    return sha256(`${realpathSync(this.#instance)}\0${fingerprint}`);
  }

  #file(): string {
    return join(this.#folder, sha256(realpathSync(this.#instance)));
  }

  #programsFile(): string {
    return `${this.#file()}-remotes`;
  }

  #recorded(): string | undefined {
    const file = this.#file();
    if (!existsSync(file)) return undefined;
    return wrapReadErrors(file, () => readFileSync(file, "utf8").split("\n")[0]);
  }

  /** The record includes the path for readers; only the digest is compared. */
  #record(fingerprint: string): void {
    this.#write(this.#file(), [this.#digest(fingerprint), realpathSync(this.#instance)]);
  }

  #recordPrograms(digests: readonly string[]): void {
    this.#write(this.#programsFile(), digests);
  }

  #write(file: string, lines: readonly string[]): void {
    wrapWriteErrors(this.#folder, () => mkdirSync(this.#folder, { recursive: true, mode: 0o700 }));
    writeDurably(file, [new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""))]);
    chmodSync(file, 0o600);
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
