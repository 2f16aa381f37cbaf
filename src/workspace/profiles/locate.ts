import { isDigest, type Digest, type VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { configurationText, inTagOrder, type ListedProfile } from "../../core/profiles/index.ts";
import { parseProfileTag, splitVersionPrefix, type ProfileTag } from "../../formats/profile/index.ts";
import { formatTimestamp } from "../../core/values/index.ts";
import type { Workspace } from "../workspace.ts";

/** A profile selected by the user: a stored object (optionally an entry of a version) or a file (possibly pending). */
export type Located =
  | {
      readonly kind: "object";
      readonly name: string;
      readonly digest: Digest;
      readonly version?: VersionId;
      readonly entry?: ListedProfile;
    }
  | { readonly kind: "file"; readonly name: string; readonly path: string; readonly pending: boolean };

/** Asks about a file that the file system walk finds; false continues the search. */
export type Confirm = (question: string) => Promise<boolean>;

/**
 * Looks up profiles in the order of the original design: tag, index of the version, absolute path, pending by (partial)
 * name, file system walk with a question per match. With `confirm` null, several matches fail with `ambiguous-profile`.
 */
export class Locator {
  readonly #workspace: Workspace;
  readonly #confirm: Confirm | null;

  constructor(workspace: Workspace, confirm: Confirm | null) {
    this.#workspace = workspace;
    this.#confirm = confirm;
  }

  /**
   * One profile: `REV^…` prefix, tag, 40-hex object, name in the index of `version`, or file. Fails with
   * `profile-not-found`.
   */
  async one(word: string, version: () => Promise<VersionId>): Promise<Located> {
    const { at, rest } = await this.#versionOf(word, version);
    const tag = parseProfileTag(rest);
    if (tag) return this.#single(rest, tag, await this.#tagged(rest, tag, at));
    if (isDigest(rest)) return { kind: "object", name: rest, digest: rest };
    return (await this.#inIndex(rest, at)) ?? this.#file(rest);
  }

  /** Profiles to register: pending tags and ranges, or files. */
  async toAdd(words: readonly string[]): Promise<Located[]> {
    const located: Located[] = [];
    for (const word of words) {
      const tag = parseProfileTag(word);
      if (tag?.where === "index") throw new Failure("bad-tag", { tag: word, choices: "pending tags like 0@p" });
      located.push(...(tag ? this.#inRange(word, tag, await this.pending()) : [await this.#file(word)]));
    }
    return uniqueProfiles(located);
  }

  /** Profiles to remove: tags, ranges, paths of pending files, or names in the index of `version`. */
  async toRemove(words: readonly string[], version: () => Promise<VersionId>): Promise<Located[]> {
    const located: Located[] = [];
    for (const word of words) {
      const tag = parseProfileTag(word);
      if (tag) located.push(...(await this.#tagged(word, tag, version)));
      else located.push(this.#pendingPath(word) ?? (await this.#registeredOrFail(word, version)));
    }
    return uniqueProfiles(located);
  }

  async #versionOf(
    word: string,
    version: () => Promise<VersionId>,
  ): Promise<{ at: () => Promise<VersionId>; rest: string }> {
    const { revision, rest } = splitVersionPrefix(word);
    if (revision === undefined || this.#workspace.files.inspect(word)) return { at: version, rest: word };
    const vcs = await this.#workspace.vcs();
    const id = await vcs.resolve(revision);
    return { at: () => Promise.resolve(id), rest };
  }

  async #tagged(word: string, tag: ProfileTag, version: () => Promise<VersionId>): Promise<Located[]> {
    return this.#inRange(
      word,
      tag,
      tag.where === "pending" ? await this.pending() : await this.#registered(await version()),
    );
  }

  /** A single tag must exist; a range skips missing profiles, and a backward range selects none. */
  #inRange(word: string, tag: ProfileTag, profiles: readonly Located[]): Located[] {
    if (!tag.range && tag.first >= profiles.length) {
      const [letter, kind] = tag.where === "index" ? ["i", "registered"] : ["p", "pending"];
      throw new Failure("bad-tag", { tag: word, kind, letter, count: profiles.length });
    }
    return profiles.slice(tag.first, tag.last + 1);
  }

  #single(word: string, tag: ProfileTag, located: readonly Located[]): Located {
    const [profile] = located;
    if (!profile || tag.range) throw new Failure("bad-tag", { tag: word, choices: "a tag of one profile" });
    return profile;
  }

  async #registered(version: VersionId): Promise<RegisteredProfile[]> {
    return inTagOrder(this.#workspace.registered(version), await this.#workspace.profileSortKey()).map((entry) =>
      registeredProfile(entry, version),
    );
  }

  /** All pending profiles, in the order of their tags. */
  async pending(): Promise<Located[]> {
    const profiles = inTagOrder(this.#workspace.pending(), await this.#workspace.profileSortKey());
    return profiles.map(({ name, path }) => ({ kind: "file", name, path, pending: true }));
  }

  async #inIndex(name: string, version: () => Promise<VersionId>): Promise<Located | undefined> {
    if (name.includes("/") || !this.#workspace.hasInstance()) return undefined;
    const id = await version().catch((error: unknown) => {
      if (error instanceof Failure && error.code === "no-versions-yet") return undefined;
      throw error;
    });
    return id && this.#registeredAs((entry) => entry.name === name, name, id);
  }

  async #registeredOrFail(word: string, version: () => Promise<VersionId>): Promise<Located> {
    const id = await version();
    const located = await this.#registeredAs(({ object, name }) => object === word || name === word, word, id);
    if (!located) throw new Failure("not-registered", { name: word, version: id });
    return located;
  }

  /** An index may hold several profiles of one name: files of different folders, or of different times. */
  async #registeredAs(
    isSelected: (entry: ListedProfile) => boolean,
    word: string,
    version: VersionId,
  ): Promise<Located | undefined> {
    const entries = this.#workspace.registered(version).filter(isSelected);
    if (entries.length <= 1) return entries[0] && registeredProfile(entries[0], version);
    const all = await this.#registered(version);
    const candidates = all.filter(({ entry }) => entry !== undefined && entries.some((each) => isSame(each, entry)));
    return this.#choose(word, candidates, (each) => describe(each, all.indexOf(each)));
  }

  #pendingPath(word: string): Located | undefined {
    const path = this.#workspace.files.resolve(word);
    const located = this.#workspace.hasInstance()
      ? this.#workspace.pending().find((profile) => profile.path === path)
      : undefined;
    return located ? { kind: "file", name: located.name, path, pending: true } : undefined;
  }

  async #file(word: string): Promise<Located> {
    const { files } = this.#workspace;
    if (files.inspect(word)) return this.#asFile(files.resolve(word));
    const [pending, ...others] = await this.#pendingNamed(word);
    if (pending && others.length === 0) return pending;
    if (pending) return this.#choose(word, [pending, ...others]);
    return this.#walk(word);
  }

  /** Pending profiles with exactly this name, else those whose name contains it. */
  async #pendingNamed(word: string): Promise<Located[]> {
    if (!this.#workspace.hasInstance()) return [];
    const profiles = await this.pending();
    const exact = profiles.filter((profile) => profile.name === word);
    return exact.length > 0 ? exact : profiles.filter((profile) => profile.name.includes(word));
  }

  /**
   * Searches below the working directory for files whose name contains the word, as the original design does. Never a
   * pattern, so no backtracking.
   */
  async #walk(word: string): Promise<Located> {
    const { files, world } = this.#workspace;
    const namePart = files.name(word);
    const isMatch = (name: string): boolean => name.endsWith("perf") && name.includes(namePart);
    const matches = namePart === "" || files.isAbsolute(word) ? [] : [...files.find(world.directory, isMatch)];
    if (matches.length === 0) throw new Failure("profile-not-found", { profile: word });
    return this.#choose(
      word,
      matches.map((path) => this.#asFile(path)),
    );
  }

  async #choose<L extends Located>(
    word: string,
    candidates: readonly L[],
    name: (candidate: L) => string = nameOf,
  ): Promise<L> {
    if (!this.#confirm) throw new Failure("ambiguous-profile", { profile: word, candidates: candidates.map(name) });
    for (const candidate of candidates)
      if (await this.#confirm(`Is ${name(candidate)} the profile '${word}'?`)) return candidate;
    throw new Failure("profile-not-found", { profile: word });
  }

  #asFile(path: string): Located {
    const pending =
      this.#workspace.hasInstance() &&
      this.#workspace.pendingDirectory() === path.slice(0, -this.#workspace.files.name(path).length - 1);
    return { kind: "file", name: this.#workspace.files.name(path), path, pending };
  }
}

type RegisteredProfile = Extract<Located, { kind: "object" }>;

function registeredProfile(entry: ListedProfile, version: VersionId): RegisteredProfile {
  return { kind: "object", name: entry.name, digest: entry.object as Digest, version, entry };
}

function isSame(a: ListedProfile, b: ListedProfile): boolean {
  return a.object === b.object && a.time === b.time && a.name === b.name;
}

/** The tag of a registered profile, and what distinguishes it from others of its name. */
function describe({ name, entry }: RegisteredProfile, at: number): string {
  if (entry === undefined) return name;
  return `${at}@i ${name} (${configurationText(entry)}, ${formatTimestamp(entry.time * 1e6)})`;
}

function nameOf(profile: Located): string {
  return profile.kind === "file" ? profile.path : profile.name;
}

function uniqueProfiles(profiles: readonly Located[]): Located[] {
  const key = (profile: Located): string =>
    profile.kind === "file"
      ? profile.path
      : `${profile.version}/${profile.name}/${profile.digest}/${profile.entry?.time}`;
  return [...new Map(profiles.map((profile) => [key(profile), profile])).values()];
}
