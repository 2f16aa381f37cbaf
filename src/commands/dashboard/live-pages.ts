import type { Figure } from "../../core/figures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { experimentHome, isServer } from "../../workspace/experiments/index.ts";
import { stateKinds, type StoreState, StoreStateReader } from "../../workspace/serve/index.ts";
import { Workspace, type World } from "../../workspace/workspace.ts";
import { loadPages, type CachedPages } from "./page-cache.ts";
import { isCacheable, storeState } from "./cached-pages.ts";
import { LevelReader } from "./level-reader.ts";
import { rebuildDamaged } from "../maintenance/index.ts";
import { drawableViews, earlyPageData, pageData, type PageData, type PageOptions, storedRun } from "../report/index.ts";
import { RefreshingCache, type CachedValue } from "./refreshing-cache.ts";

/** Interval for polling the store while pages listen, ms. */
const pollInterval = 1000;
/** Refresh interval for server databases, which do not report changes, ms. */
const serverRefreshInterval = 10_000;
/**
 * A page that starts listening within this time after a refresh is notified at once: it may have loaded old data, ms.
 */
const recentWindow = 5000;

/** Time a profile stays loaded for further views, ms. */
const runCacheTime = 60_000;

/** A profile that stays loaded, and its figure without options by view; null: the view does not fit. */
interface LoadedRun {
  readonly object: string;
  readonly run: Run;
  readonly figures: Map<string, Promise<Figure | null>>;
  readonly forget: NodeJS.Timeout;
}

/**
 * Builds and caches the pages of the current store (`cachedPages`) in another process. Ends early when `stopped` is
 * aborted.
 */
export type PageMaker = (stopped: AbortSignal) => Promise<void>;

/** Serves the pages of the current store; rebuilds them only after changes. */
export class LivePages {
  readonly options: PageOptions;
  readonly #world: World;
  readonly #states: StoreStateReader;
  readonly #isServer: boolean;
  readonly #listeners = new Set<(what: string) => void>();
  readonly #data: RefreshingCache<PageData>;
  readonly #ended = new AbortController();
  readonly #maker: PageMaker | undefined;
  /** The newest cached pages, and the previous ones, which may still be read. */
  #cached: readonly CachedPages[] = [];
  #run: LoadedRun | undefined;
  /** For the pages that were compared last. */
  #levels: { readonly data: PageData; readonly reader: LevelReader } | undefined;
  #refreshedMs = Number.NEGATIVE_INFINITY;

  private constructor(
    workspace: Workspace,
    states: StoreStateReader,
    options: PageOptions,
    how: {
      readonly maker?: PageMaker | undefined;
      readonly cached?: CachedPages | undefined;
      readonly isCurrent: boolean;
    },
  ) {
    this.#world = workspace.world;
    this.#states = states;
    this.options = options;
    this.#maker = how.maker;
    this.#isServer = isServer(experimentHome(workspace, options.database).database);
    this.#cached = how.cached === undefined ? [] : [how.cached];
    this.#data = new RefreshingCache({
      state: () => this.#state(),
      compute: () => this.#build(),
      preview: () => earlyPageData(this.workspace(), options),
      refreshed: () => this.#reportRefresh(),
      now: () => this.#world.now(),
      cached: how.cached && {
        state: how.isCurrent ? this.#state() : "",
        value: how.cached.data,
        took: how.cached.took,
      },
    });
  }

  /**
   * Serves cached pages at once. `maker`: builds pages elsewhere; absent: pages are built in this process, blocking
   * requests.
   */
  static async open(workspace: Workspace, options: PageOptions, maker?: PageMaker): Promise<LivePages> {
    const states = await StoreStateReader.open(workspace, options.database);
    const cached = options.keeps ? loadPages(workspace, options) : undefined;
    const isCurrent = cached?.state === (await storeState(workspace, options)) && isCacheable(workspace, options);
    return new LivePages(workspace, states, options, { maker, cached, isCurrent });
  }

  /** Aborts running work. */
  end(): void {
    this.#ended.abort();
  }

  /** A new workspace: each caches what it reads of the store. */
  workspace(): Workspace {
    return new Workspace(this.#world, undefined, rebuildDamaged);
  }

  /** The profile object with this digest. Fails like `storedRun`. */
  run(object: string): Run {
    return this.#loaded(object).run;
  }

  #loaded(object: string): LoadedRun {
    const known = this.#run?.object === object ? this.#run : undefined;
    clearTimeout(this.#run?.forget);
    const run = known?.run ?? storedRun(this.workspace(), object);
    const forget = setTimeout(() => (this.#run = undefined), runCacheTime).unref();
    return (this.#run = { object, run, figures: known?.figures ?? new Map(), forget });
  }

  /** The figure of a profile in a view without options; null if the view does not fit the profile. */
  figure(object: string, view: string): Promise<Figure | null> {
    const { run, figures } = this.#loaded(object);
    const known = figures.get(view);
    if (known !== undefined) return known;
    const drawn = drawableViews(this.workspace(), run, [view]).then(([first]) => first?.[1] ?? null);
    figures.set(view, drawn);
    return drawn;
  }

  /**
   * Current page data; the previous data while the database is being written or a rebuild takes long. Fails like
   * `pageData`.
   */
  data(): Promise<CachedValue<PageData>> {
    return this.#data.value();
  }

  /** Reads the levels of all series at two commits. */
  levelsOf(data: PageData): LevelReader {
    if (this.#levels?.data !== data) this.#levels = { data, reader: new LevelReader(data) };
    return this.#levels.reader;
  }

  /** Reads points for comparisons in the background; those that cannot be read are reported by the comparison. */
  readAhead(data: PageData): void {
    this.levelsOf(data)
      .readAhead(this.#ended.signal)
      .catch(() => {});
  }

  async #build(): Promise<PageData> {
    if (this.#maker === undefined) return pageData(this.workspace(), this.options);
    await this.#maker(this.#ended.signal);
    const made = loadPages(this.workspace(), this.options);
    // Without a writable cache, pages are built here.
    if (made === undefined) return pageData(this.workspace(), this.options);
    const [newest, ...older] = this.#cached;
    for (const each of older) each.close();
    this.#cached = newest === undefined ? [made] : [made, newest];
    return made.data;
  }

  /** Reports changes once the store is quiet, until the returned function is called. */
  watch(changed: (what: string) => void): () => void {
    this.#listeners.add(changed);
    if (this.#world.now() - this.#refreshedMs < recentWindow) changed("profiles");
    if (this.#listeners.size === 1) this.#poll(this.#states.read(), this.#states.read());
    return () => this.#listeners.delete(changed);
  }

  /**
   * `reported`: the state listeners know; `seen`: the state at the previous poll. A running import changes files
   * continuously.
   */
  #poll(reported: StoreState, seen: StoreState): void {
    setTimeout(() => {
      if (this.#listeners.size === 0) return;
      const now = this.#states.read();
      const isAtRest = stateKinds.every((part) => now[part] === seen[part]);
      if (isAtRest) for (const part of stateKinds.filter((each) => now[each] !== reported[each])) this.#notify(part);
      this.#poll(isAtRest ? now : reported, now);
    }, pollInterval).unref();
  }

  #reportRefresh(): void {
    this.#refreshedMs = this.#world.now();
    this.#notify("profiles");
  }

  #notify(what: string): void {
    for (const changed of this.#listeners) changed(what);
  }

  #state(): string {
    const moment = this.#isServer ? Math.floor(this.#world.now() / serverRefreshInterval) : 0;
    return JSON.stringify([this.#states.read(), moment]);
  }
}
