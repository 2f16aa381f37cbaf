import type { Run } from "../../core/profiles/run.ts";
import { experimentHome, isServer } from "../../workspace/experiments/experiments.ts";
import { stateKinds, type StoreState, StoreStateReader } from "../../workspace/serve/store-state.ts";
import { Workspace, type World } from "../../workspace/workspace.ts";
import { keptPages, type KeptPages } from "./page-cache.ts";
import { isRepeatable, wholeState } from "./cached-pages.ts";
import { earlyPageData, pageData, type PageData, type PageOptions } from "../report/page-data.ts";
import { storedRun } from "../report/profile-pages.ts";
import { Renewed, type Told } from "./refreshing-cache.ts";

/** Milliseconds: the store is looked at so often while somebody wants to be told, */
const lookEvery = 1000;
/** and what a server keeps, which tells nobody of changes, is asked for again. */
const serverMemory = 10_000;
/** A page that begins to listen so soon after there was something new may have been told what was before. */
const late = 5000;

/** A profile that was looked at is looked at again, by another view or with other options, so soon. */
const runMemory = 60_000;

/**
 * Makes the pages of the store as it is now and keeps them (`knownPages`), elsewhere: nobody here waits for it. Ends
 * early when `stopped` says so.
 */
export type PageMaker = (stopped: AbortSignal) => Promise<void>;

/** What pages are told of the store as it is now; it is made again only when the store has changed. */
export class LivePages {
  readonly options: PageOptions;
  readonly #world: World;
  readonly #states: StoreStateReader;
  readonly #isServer: boolean;
  readonly #listeners = new Set<(what: string) => void>();
  readonly #data: Renewed<PageData>;
  readonly #ended = new AbortController();
  readonly #maker: PageMaker | undefined;
  /** The newest, and the one before, which may still be read. */
  #kept: readonly KeptPages[] = [];
  #run: { readonly object: string; readonly run: Run; readonly forget: NodeJS.Timeout } | undefined;
  #renewed = Number.NEGATIVE_INFINITY;

  private constructor(
    workspace: Workspace,
    states: StoreStateReader,
    options: PageOptions,
    how: { readonly maker?: PageMaker | undefined; readonly kept?: KeptPages | undefined; readonly isCurrent: boolean },
  ) {
    this.#world = workspace.world;
    this.#states = states;
    this.options = options;
    this.#maker = how.maker;
    this.#isServer = isServer(experimentHome(workspace, options.database).database);
    this.#kept = how.kept === undefined ? [] : [how.kept];
    this.#data = new Renewed({
      state: () => this.#state(),
      make: () => this.#made(),
      early: () => earlyPageData(this.workspace(), options),
      renewed: () => this.#tellNews(),
      now: () => this.#world.now(),
      known: how.kept && { state: how.isCurrent ? this.#state() : "", value: how.kept.data, took: how.kept.took },
    });
  }

  /** What was kept of before is told at once. `maker`: absent: pages are made here, which answers nobody meanwhile. */
  static async open(workspace: Workspace, options: PageOptions, maker?: PageMaker): Promise<LivePages> {
    const states = await StoreStateReader.open(workspace, options.database);
    const kept = options.keeps ? keptPages(workspace, options) : undefined;
    const isCurrent = kept?.state === (await wholeState(workspace, options)) && isRepeatable(workspace, options);
    return new LivePages(workspace, states, options, { maker, kept, isCurrent });
  }

  /** Ends what goes on. */
  end(): void {
    this.#ended.abort();
  }

  /** A workspace that has looked at nothing yet: each keeps what it has seen of the store. */
  workspace(): Workspace {
    return new Workspace(this.#world);
  }

  /** The profile that is kept under a hex name. Fails like `storedRun`. */
  run(object: string): Run {
    const known = this.#run?.object === object ? this.#run.run : undefined;
    clearTimeout(this.#run?.forget);
    const run = known ?? storedRun(this.workspace(), object);
    this.#run = { object, run, forget: setTimeout(() => (this.#run = undefined), runMemory).unref() };
    return run;
  }

  /**
   * Fails like `pageData`. While the database is written to, and where making takes a while, what was known before is
   * told.
   */
  data(): Promise<Told<PageData>> {
    return this.#data.value();
  }

  async #made(): Promise<PageData> {
    if (this.#maker === undefined) return pageData(this.workspace(), this.options);
    await this.#maker(this.#ended.signal);
    const made = keptPages(this.workspace(), this.options);
    // Where nothing can be kept, pages are made here.
    if (made === undefined) return pageData(this.workspace(), this.options);
    const [newest, ...older] = this.#kept;
    for (const each of older) each.close();
    this.#kept = newest === undefined ? [made] : [made, newest];
    return made.data;
  }

  /** Tells of changes that have come to rest, until the answer is called. */
  watch(changed: (what: string) => void): () => void {
    this.#listeners.add(changed);
    if (this.#world.now() - this.#renewed < late) changed("profiles");
    if (this.#listeners.size === 1) this.#look(this.#states.read(), this.#states.read());
    return () => this.#listeners.delete(changed);
  }

  /**
   * `told`: what listeners know; `seen`: what was there a moment ago. An import that goes on changes the files all the
   * time.
   */
  #look(told: StoreState, seen: StoreState): void {
    setTimeout(() => {
      if (this.#listeners.size === 0) return;
      const now = this.#states.read();
      const isAtRest = stateKinds.every((part) => now[part] === seen[part]);
      if (isAtRest) for (const part of stateKinds.filter((each) => now[each] !== told[each])) this.#tell(part);
      this.#look(isAtRest ? now : told, now);
    }, lookEvery).unref();
  }

  #tellNews(): void {
    this.#renewed = this.#world.now();
    this.#tell("profiles");
  }

  #tell(what: string): void {
    for (const changed of this.#listeners) changed(what);
  }

  #state(): string {
    const moment = this.#isServer ? Math.floor(this.#world.now() / serverMemory) : 0;
    return JSON.stringify([this.#states.read(), moment]);
  }
}
