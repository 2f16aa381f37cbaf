import { resolve, dirname, join } from "node:path";
import { existsSync, lstatSync } from "node:fs";
import type { VersionId } from "../core/versions/digest.ts";
import { Failure } from "../core/failures/failure.ts";
import { profileSortKeys, type ListedProfile, type ProfileSortKey } from "../core/profiles/listed-profile.ts";
import type { Setting } from "../core/values/setting.ts";
import { readProfileHeader } from "../formats/profile/profile-header.ts";
import { builtins } from "../plugins/builtin.ts";
import type { Shell } from "../plugins/collectors/collector.ts";
import type { Vcs } from "../plugins/vcs/vcs.ts";
import { AnswerCache } from "../store/cache/answer-cache.ts";
import { openStore, type Store } from "../store/store.ts";
import { openConfig, sharedConfigPath, type Config, type ConfigPaths } from "./config/config.ts";
import { openFiles, type Files } from "./files/files.ts";
import { detectVcs } from "./plugins/detect-vcs.ts";
import { openRegistry, type Registry } from "./plugins/registry.ts";
import { isForeignRepository, repositoryPath } from "./config/repository-path.ts";
import { openShell } from "./processes/shell.ts";
import { Trust, trustFolder } from "./config/trust.ts";
import { hasDeadRun, recoverRuns, runPaths } from "./processes/worktrees.ts";
import type { UserPlugin } from "./plugins/user-plugins.ts";

/** What the process hands in: nothing below `cli` reaches for these. */
export interface World {
  /** Where the user stands. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  /** The words of the command line, for those who find our lock held. */
  readonly command: string;
  /** Whether somebody is there who can be asked for a password. */
  readonly hasTerminal?: boolean;
  /** Tells the person at the terminal, whatever they asked for, of a protection that is off. */
  warn?(text: string): void;
}

/** A pending profile: where it lies, and what its header says. */
export interface PendingProfile extends ListedProfile {
  readonly path: string;
}

/** The world opened for one command; each part at its first use. */
export class Workspace {
  readonly world: World;
  readonly files: Files;
  readonly registry: Registry;
  readonly #perun: string | null;
  #store: Store | undefined;
  #config: Promise<Config> | undefined;
  #vcs: Promise<Vcs> | undefined;
  #shell: Shell | undefined;

  constructor(world: World, registry?: Registry) {
    this.world = world;
    this.registry = registry ?? openRegistry(builtins, () => this.#userPlugins());
    this.files = openFiles(world.directory);
    this.#perun = findPerun(world.directory);
  }

  hasInstance(): boolean {
    return this.#perun !== null;
  }

  /** The `.perun` directory; fails with `no-instance` outside of one. */
  perun(): string {
    if (this.#perun === null) throw new Failure("no-instance", { path: this.world.directory });
    return this.#perun;
  }

  /** The directory that holds `.perun`: the root of the project. */
  root(): string {
    return dirname(this.perun());
  }

  /** Removes what killed runs left behind; costs next to nothing where none did. */
  async tidy(): Promise<void> {
    if (this.#perun === null || !hasDeadRun(join(this.#perun, "run"))) return;
    await recoverRuns(runPaths(this.#perun, this.world.environment), await this.vcs());
  }

  store(): Store {
    this.#store ??= openStore(this.perun(), { command: this.world.command });
    return this.#store;
  }

  config(runtime?: ReadonlyMap<string, Setting>): Promise<Config> {
    this.#config ??= openConfig(this.configPaths(), runtime);
    return this.#config;
  }

  configPaths(): ConfigPaths {
    return {
      local: this.#perun === null ? null : join(this.#perun, "local.yml"),
      shared: sharedConfigPath(this.world.environment, this.home()),
    };
  }

  /**
   * The version control system of the instance: where `vcs.url` points, relative to `.perun`; outside of an instance
   * the one around the user.
   */
  vcs(): Promise<Vcs> {
    this.#vcs ??= this.#openVcs();
    return this.#vcs;
  }

  /**
   * The version that a word of the user means; the head without one. Fails with `unknown-revision`, `no-versions-yet`.
   */
  async version(revision?: string): Promise<VersionId> {
    const vcs = await this.vcs();
    return revision === undefined ? vcs.head() : vcs.resolve(revision);
  }

  /** Runs programs of this machine; its launcher is kept in the user's cache. */
  shell(): Shell {
    this.#shell ??= openShell({ environment: this.world.environment, cacheFolder: this.cacheFolder() });
    return this.#shell;
  }

  /** What can be made again, for all projects of the user: nobody else's clone can put anything there. */
  cacheFolder(): string {
    return join(this.world.environment["XDG_CACHE_HOME"] || join(this.home(), ".cache"), "perfkeep");
  }

  /** Answers to queries that took a while. */
  answers(): AnswerCache {
    return new AnswerCache(join(this.cacheFolder(), "answers"));
  }

  /** Numbers of profiles that series are made of. */
  samples(): AnswerCache {
    return new AnswerCache(join(this.cacheFolder(), "samples"), { totalBytes: 512 << 20, entryBytes: 64 << 20 });
  }

  /**
   * What the user said about the commands that the configuration of an instance names; of this one when none is given.
   */
  trust(perun: string = this.perun()): Trust {
    return new Trust(trustFolder(this.world.environment, this.home()), perun);
  }

  home(): string {
    return this.world.environment["HOME"] || resolve("/");
  }

  /** Profiles registered at a version, in index order. Fails with `index-damaged`. */
  registered(version: VersionId): readonly ListedProfile[] {
    return this.store()
      .versions.entries(version)
      .map(({ digest, ...entry }) => ({ ...entry, object: digest }));
  }

  /** Pending profiles in order of name. Files in `jobs/` that are no profiles are named to `unreadable`. */
  pending(unreadable: (name: string, failure: Failure) => void = () => {}): readonly PendingProfile[] {
    const { pending } = this.store();
    return pending.list().flatMap(({ name, path, mtimeMs }) => {
      try {
        const { type, cmd, workload, collector, postprocessors } = readProfileHeader(pending.read(name), name);
        return [
          { name, path, type, cmd, workload, collector, postprocessors, time: Math.round(mtimeMs / 1000), object: "" },
        ];
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        unreadable(name, error);
        return [];
      }
    });
  }

  pendingDirectory(): string {
    return join(this.perun(), "jobs");
  }

  /** The order of lists and tags; `wanted` before the configuration's. Fails with `unknown-choice`. */
  async profileSortKey(wanted?: string): Promise<ProfileSortKey> {
    const name = wanted ?? (await this.config()).text("format.sort_profiles_by");
    const key = profileSortKeys.find((known) => known === name);
    if (!key) throw new Failure("unknown-choice", { kind: "sort key", value: name, choices: profileSortKeys });
    return key;
  }

  /** Whether output of this verb goes through the pager (`general.paging`). */
  async usesPager(verb: "log" | "status"): Promise<boolean> {
    const paging = (await this.config()).text("general.paging");
    return paging === "always" || paging === `only-${verb}`;
  }

  /** What the configuration names under `plugins`; the local one has to be trusted. */
  async #userPlugins(): Promise<readonly UserPlugin[]> {
    const config = await this.config();
    if (config.lookup("plugins") === undefined) return [];
    if (config.only("local").lookup("plugins") !== undefined) await this.trust().require(config, null);
    return (await import("./plugins/user-plugins.ts")).loadUserPlugins(
      config,
      this.#perun === null ? null : this.root(),
    );
  }

  async #openVcs(): Promise<Vcs> {
    const { environment, directory } = this.world;
    if (this.#perun === null) return (await this.registry.get("vcs", "git")).open(directory, environment);
    const config = await this.config();
    const url = config.text("vcs.url");
    const place = repositoryPath(this.#perun, url);
    const plugin = await this.registry.get("vcs", config.text("vcs.type") || detectVcs(place));
    if (isForeignRepository(this.#perun, url)) await this.trust().require(config, null);
    return plugin.open(place, environment);
  }
}

/**
 * The nearest `.perun` directory at or above `directory`; one that is a link or belongs to somebody else is refused.
 */
function findPerun(directory: string): string | null {
  for (let folder = directory; ; folder = dirname(folder)) {
    const path = join(folder, ".perun");
    if (existsSync(path)) return requireOwnDirectory(path);
    if (dirname(folder) === folder) return null;
  }
}

/** As git does with repositories of others (CVE-2022-24765): what they left for us may name commands. */
function requireOwnDirectory(path: string): string {
  const facts = lstatSync(path);
  if (!facts.isDirectory()) throw new Failure("bad-instance", { path, reason: "is not a directory" });
  const user = process.getuid?.();
  if (user !== undefined && facts.uid !== user && user !== 0)
    throw new Failure("bad-instance", { path, reason: "belongs to another user" });
  return path;
}

/**
 * This process as a world, for programs that use perfkeep as a library: its environment and clock, and nobody at a
 * terminal.
 */
export function processWorld(directory: string): World {
  return {
    directory: resolve(directory),
    environment: process.env,
    now: () => Date.now(),
    random: () => Math.random(),
    command: "perfkeep as a library",
  };
}
