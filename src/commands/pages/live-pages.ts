import { experimentHome, isServer } from "../../workspace/experiments.ts";
import { stateParts, type StoreState, StoreStates } from "../../workspace/store-state.ts";
import { Workspace, type World } from "../../workspace/workspace.ts";
import { pageData, type PageData, type PageOptions } from "./page-data.ts";
import { Renewed } from "./renewed.ts";

/** Milliseconds: the store is looked at so often while somebody wants to be told, */
const lookEvery = 1000;
/** and what a server keeps, which tells nobody of changes, is asked for again. */
const serverMemory = 10_000;

/** What pages are told of the store as it is now; it is made again only when the store has changed. */
export class LivePages {
  readonly options: PageOptions;
  readonly #world: World;
  readonly #states: StoreStates;
  readonly #isServer: boolean;
  readonly #listeners = new Set<(what: string) => void>();
  readonly #data: Renewed<PageData>;

  private constructor(workspace: Workspace, states: StoreStates, options: PageOptions) {
    this.#world = workspace.world;
    this.#states = states;
    this.options = options;
    this.#isServer = isServer(experimentHome(workspace, options.database).database);
    this.#data = new Renewed({
      state: () => this.#state(),
      make: () => pageData(this.workspace(), options),
      renewed: () => this.#tell("profiles"),
      now: () => this.#world.now(),
    });
  }

  static async open(workspace: Workspace, options: PageOptions): Promise<LivePages> {
    return new LivePages(workspace, await StoreStates.of(workspace, options.database), options);
  }

  /** A workspace that has looked at nothing yet: each keeps what it has seen of the store. */
  workspace(): Workspace {
    return new Workspace(this.#world);
  }

  /** Fails like `pageData`. While the database is written to, and where making takes a while, what was known before is told. */
  data(): Promise<PageData> {
    return this.#data.value();
  }

  /** Tells of changes that have come to rest, until the answer is called. */
  watch(changed: (what: string) => void): () => void {
    this.#listeners.add(changed);
    if (this.#listeners.size === 1) this.#look(this.#states.now(), this.#states.now());
    return () => this.#listeners.delete(changed);
  }

  /** `told`: what listeners know; `seen`: what was there a moment ago. An import that goes on changes the files all the time. */
  #look(told: StoreState, seen: StoreState): void {
    setTimeout(() => {
      if (this.#listeners.size === 0) return;
      const now = this.#states.now();
      const isAtRest = stateParts.every((part) => now[part] === seen[part]);
      if (isAtRest) for (const part of stateParts.filter((each) => now[each] !== told[each])) this.#tell(part);
      this.#look(isAtRest ? now : told, now);
    }, lookEvery).unref();
  }

  #tell(what: string): void {
    for (const changed of this.#listeners) changed(what);
  }

  #state(): string {
    const moment = this.#isServer ? Math.floor(this.#world.now() / serverMemory) : 0;
    return JSON.stringify([this.#states.now(), moment]);
  }
}
