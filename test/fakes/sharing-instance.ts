import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Digest, VersionId } from "../../src/core/versions/digest.ts";
import { encodeObject } from "../../src/formats/store/object.ts";
import { tagit } from "../../src/plugins/vcs/tagit.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { pull, type PullResult } from "../../src/workspace/share/pull.ts";
import type { PushResult } from "../../src/workspace/share/parts/share-summary.ts";
import { push } from "../../src/workspace/share/push.ts";
import type { ShareFilter } from "../../src/workspace/share/parts/share-part.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

export const sharedVersions = ["a1".repeat(20), "b2".repeat(20), "c3".repeat(32)].map((id) => id as VersionId);

/** The uncompressed bytes of a small profile and their digest. `filler` makes it larger. */
export function sampleProfile(
  amount: number,
  collector = "time",
  filler = "",
): { readonly body: Uint8Array; readonly plain: Uint8Array; readonly digest: Digest } {
  const text = JSON.stringify({
    collector_info: { name: collector, params: {} },
    global: { resources: [{ amount, uid: filler, type: "mixed" }], time: "1" },
    header: { args: "", cmd: "x", type: "time", units: { time: "s" }, workload: "" },
    postprocessors: [],
  });
  const body = new TextEncoder().encode(text);
  return { body, ...encodeObject("profile", "time", body) };
}

/** An importer that is never called. */
export const withoutImports = () => async (): Promise<void> => {};

/**
 * An instance in its own folder that shares with the repository at `address`. It uses tagit for version control, which
 * needs no program.
 */
export class SharingInstance {
  readonly folder: string;
  readonly perun: string;
  readonly address: string;
  readonly #variables: Readonly<Record<string, string>>;

  /** `variables`: additional environment variables. */
  constructor(folder: string, address: string, variables: Readonly<Record<string, string>> = {}) {
    this.#variables = variables;
    this.folder = folder;
    this.perun = join(folder, ".perun");
    this.address = address;
    mkdirSync(folder, { recursive: true });
    createStore(this.perun);
    writeFileSync(join(this.perun, "local.yml"), "vcs:\n  type: tagit\n  url: ../\n");
  }

  /** Initializes the repository, once. */
  async begin(): Promise<this> {
    await tagit.init(this.folder, {}, [], {});
    return this;
  }

  workspace(): Workspace {
    const { PATH } = process.env;
    const environment = { PATH, HOME: this.folder, GIT_CONFIG_NOSYSTEM: "1", ...this.#variables };
    return new Workspace({
      directory: this.folder,
      environment,
      now: () => 1_700_000_000_000,
      random: () => 0.1,
      command: "test",
    });
  }

  store(): Store {
    return this.workspace().store();
  }

  add(
    version: VersionId,
    name: string,
    amount: number,
    options: { readonly time?: number; readonly collector?: string; readonly filler?: string } = {},
  ): Digest {
    const { time = 1000 + amount, collector = "time", filler = "" } = options;
    const store = this.store();
    const { digest } = store.objects.put("profile", "time", sampleProfile(amount, collector, filler).body);
    store.versions.add(version, [
      { name, time, digest, type: "time", cmd: "x", workload: "", collector, postprocessors: [] },
    ]);
    return digest;
  }

  /** Returns false if there is no such name. */
  remove(version: VersionId, name: string): boolean {
    const { versions } = this.store();
    if (!versions.entries(version).some((entry) => entry.name === name)) return false;
    versions.remove(version, (entry) => entry.name === name);
    return true;
  }

  rename(version: VersionId, from: string, to: string): void {
    const { versions } = this.store();
    const entry = versions.entries(version).find(({ name }) => name === from);
    if (entry === undefined || from === to) return;
    versions.add(version, [{ ...entry, name: to }]);
    versions.remove(version, (other) => other === entry || (other.name === from && other.digest === entry.digest));
  }

  push(wish: ShareFilter = {}, repairs = false): Promise<PushResult> {
    return push(this.workspace(), this.address, { filter: wish, replay: withoutImports, repairs });
  }

  pull(wish: ShareFilter = {}, isDryRun = false, skipsDamaged = false): Promise<PullResult> {
    return pull(this.workspace(), this.address, { filter: wish, replay: withoutImports, skipsDamaged }, isDryRun);
  }

  names(version: VersionId): readonly string[] {
    return this.store()
      .versions.entries(version)
      .map(({ name }) => name);
  }

  /**
   * The bytes of indexes and changes by path; only the names of objects, because they may be compressed differently.
   */
  snapshot(options: { readonly objects?: boolean } = {}): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    const { objects, versions } = this.store();
    for (const { id, companion, path } of this.store().members()) {
      if (companion === ".prev") continue;
      // An empty index is equivalent to none. It remains if a profile was added and removed before it was shared.
      const isIndex = companion === undefined && versions.isIndexed(id as VersionId);
      if (isIndex && versions.entries(id as VersionId).length === 0) continue;
      if (companion !== undefined || isIndex) found[`${id}${companion ?? ""}`] = hashOf(readFileSync(path));
      else if (options.objects ?? false) found[id] = hashOf(objects.plain(id as Digest));
    }
    return found;
  }

  /** All files of the instance except the share cache. */
  everything(): Readonly<Record<string, string>> {
    const names = readdirSync(this.perun, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = names
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(this.perun, "share")));
    return Object.fromEntries(
      paths.toSorted().map((path) => [path.slice(this.perun.length), hashOf(readFileSync(path))]),
    );
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex");
}
