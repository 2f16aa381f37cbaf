import { resolve, dirname, join } from "node:path";
import { existsSync, lstatSync } from "node:fs";
import type { VersionId } from "../core/versions/index.ts";
import { Failure } from "../core/failures/index.ts";
import { profileSortKeys, type ListedProfile, type ProfileSortKey } from "../core/profiles/index.ts";
import { formatTimestamp, isStorableTime, type Setting } from "../core/values/index.ts";
import { readProfileHeader } from "../formats/profile/index.ts";
import { builtins } from "../plugins/builtin.ts";
import type { Shell } from "../plugins/collectors/collector.ts";
import type { Vcs } from "../plugins/vcs/vcs.ts";
import { AnswerCache } from "../store/cache/index.ts";
import { openStore, type Store } from "../store/store.ts";
import {
  openConfig,
  sharedConfigPath,
  type Config,
  type ConfigPaths,
  isForeignRepository,
  repositoryPath,
  isSharedInstance,
  Trust,
  trustFolder,
} from "./config/index.ts";
import { openFiles, type Files } from "./files/index.ts";
import { detectVcs, openRegistry, type Registry, type UserPlugin } from "./plugins/index.ts";
import { openShell, hasDeadRun, recoverRuns, runPaths } from "./processes/index.ts";

/** What the process provides; code below `cli` reads none of it by itself. */
export interface World {
  /** The working directory. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  /** The command line, shown to processes that wait for a lock of this one. */
  readonly command: string;
  /** Whether a terminal is attached at which a password can be entered. */
  readonly hasTerminal?: boolean;
  /** Warns the user, whatever the output options, that a protection is off. */
  warn?(text: string): void;
}

/** Rebuilds the experiment database at a path. Fails with `ledger-lost`, replacing nothing. */
export type DatabaseRecovery = (
  workspace: Workspace,
  database: string,
) => Promise<{ readonly changes: number; readonly listDamage?: string; readonly backup?: string }>;

/** A pending profile: its path and header. */
export interface PendingProfile extends ListedProfile {
  readonly path: string;
}

/** The project, store and configuration of one command; each part is opened lazily. */
export class Workspace {
  readonly world: World;
  readonly files: Files;
  readonly registry: Registry;
  /** Rebuilds a damaged experiment database; absent: damage is reported. */
  readonly recovery: DatabaseRecovery | undefined;
  readonly #perun: string | null;
  #store: Store | undefined;
  #config: Promise<Config> | undefined;
  #vcs: Promise<Vcs> | undefined;
  #shell: Shell | undefined;

  constructor(world: World, registry?: Registry, recovery?: DatabaseRecovery) {
    requireUtf8(world.directory);
    this.world = world;
    this.recovery = recovery;
    this.registry = registry ?? openRegistry(builtins, () => this.#userPlugins());
    this.files = openFiles(world.directory);
    this.#perun = findPerun(world.directory);
  }

  hasInstance(): boolean {
    return this.#perun !== null;
  }

  /**
   * The current time in microseconds since 1970, for what is stored. Fails with `time-out-of-range` if the clock is so
   * wrong that later reads, dumps and pushes would refuse the time.
   */
  time(): number {
    const time = this.world.now() * 1000;
    if (isStorableTime(time)) return time;
    throw new Failure("time-out-of-range", {
      what: "the system clock",
      time: formatTimestamp(time),
      advice: "set the clock",
    });
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

  /** Removes leftovers of killed runs; nearly free when there are none. */
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
   * The repository at `vcs.url`, relative to `.perun`; outside of an instance, the one around the working directory.
   */
  vcs(): Promise<Vcs> {
    this.#vcs ??= this.#openVcs();
    return this.#vcs;
  }

  /** Resolves a revision; without one, the head. Fails with `unknown-revision`, `no-versions-yet`. */
  async version(revision?: string): Promise<VersionId> {
    const vcs = await this.vcs();
    return revision === undefined ? vcs.head() : vcs.resolve(revision);
  }

  /** Runs programs; the compiled launcher is stored in `cacheFolder`. */
  shell(): Shell {
    this.#shell ??= openShell({ environment: this.world.environment, cacheFolder: this.cacheFolder() });
    return this.#shell;
  }

  /**
   * Data that can be recomputed, shared by all projects of the user. Never inside a clone, which others may have
   * filled.
   */
  cacheFolder(): string {
    return join(this.world.environment["XDG_CACHE_HOME"] || join(this.home(), ".cache"), "perfkeep");
  }

  /** Results of slow queries. */
  answers(): AnswerCache {
    return new AnswerCache(join(this.cacheFolder(), "answers"));
  }

  /** Numbers extracted from profiles for series. */
  samples(): AnswerCache {
    return new AnswerCache(join(this.cacheFolder(), "samples"), { totalBytes: 512 << 20, entryBytes: 64 << 20 });
  }

  /** Trust records for the commands named by the configuration of an instance, by default this one. */
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

  /** Pending profiles in order of name. Calls `unreadable` for files in `jobs/` that are not profiles. */
  pending(unreadable: (name: string, failure: Failure) => void = () => {}): readonly PendingProfile[] {
    const { pending } = this.store();
    return pending.list().flatMap(({ name, path, mtimeMs }) => {
      try {
        const header = readProfileHeader(pending.read(name), name);
        const { origin, type, cmd, workload, collector, postprocessors } = header;
        const facts = { type, cmd, workload, collector, postprocessors, ...(origin === undefined ? {} : { origin }) };
        return [{ name, path, ...facts, time: Math.round(mtimeMs / 1000), object: "" }];
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

  /** The sort key of lists and tags; `wanted` overrides the configuration. Fails with `unknown-choice`. */
  async profileSortKey(wanted?: string): Promise<ProfileSortKey> {
    const name = wanted ?? (await this.config()).text("format.sort_profiles_by");
    const key = profileSortKeys.find((known) => known === name);
    if (!key) throw new Failure("unknown-choice", { kind: "sort key", value: name, choices: profileSortKeys });
    return key;
  }

  /** Whether the output of this verb goes through the pager (`general.paging`). */
  async usesPager(verb: "log" | "status"): Promise<boolean> {
    const paging = (await this.config()).text("general.paging");
    return paging === "always" || paging === `only-${verb}`;
  }

  /** Plug-ins listed under `plugins`; a local configuration must be trusted. */
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
    const path = repositoryPath(this.#perun, url);
    const plugin = await this.registry.get("vcs", config.text("vcs.type") || detectVcs(path));
    if (isForeignRepository(this.#perun, url)) await this.trust().require(config, null);
    return plugin.open(path, environment);
  }
}

/**
 * The nearest `.perun` directory at or above `directory`. Fails with `bad-instance` if it is a link or belongs to
 * another user.
 */
function findPerun(directory: string): string | null {
  for (let folder = directory; ; folder = dirname(folder)) {
    const path = join(folder, ".perun");
    if (existsSync(path)) return requireOwnDirectory(path);
    if (dirname(folder) === folder) return null;
  }
}

/** Node replaces the bytes of a name that is not UTF-8, which then names another directory. */
function requireUtf8(directory: string): void {
  if (!directory.includes("\uFFFD")) return;
  const named = lstatSync(directory, { throwIfNoEntry: false });
  const current = directory === process.cwd() ? lstatSync(".") : named;
  if (named === undefined || named.ino !== current?.ino) throw new Failure("directory-not-utf8", { path: directory });
}

/**
 * Like git's safe.directory (CVE-2022-24765): a directory of another user may name commands. One that is shared with a
 * group of this user is accepted; its commands run for its owner only.
 */
function requireOwnDirectory(path: string): string {
  const facts = lstatSync(path);
  if (!facts.isDirectory()) throw new Failure("bad-instance", { path, reason: "is not a directory" });
  const user = process.getuid?.();
  if (user !== undefined && facts.uid !== user && user !== 0 && !isSharedWithMe(path, facts.gid))
    throw new Failure("bad-instance", { path, reason: "belongs to another user" });
  return path;
}

function isSharedWithMe(path: string, group: number): boolean {
  return isSharedInstance(path) && [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(group);
}

/** This process as a `World`, for programs that embed perfkeep: its environment and clock, no terminal. */
export function processWorld(directory: string): World {
  return {
    directory: resolve(directory),
    environment: process.env,
    now: () => Date.now(),
    random: () => Math.random(),
    command: "perfkeep as a library",
  };
}
