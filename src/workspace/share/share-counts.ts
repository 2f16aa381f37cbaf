import type { SetTally, ShareCounts } from "../../formats/store/index.ts";

type Sum = { -readonly [Name in keyof ShareCounts]: number };

/** Totals of changes to push and to pull. */
export class ShareTotals {
  readonly push: Sum;
  readonly pull: Sum;

  constructor(initial?: { readonly push: ShareCounts; readonly pull: ShareCounts }) {
    const none = { profiles: 0, removals: 0, changedVersions: 0, experimentChanges: 0 };
    this.push = { ...none, ...initial?.push };
    this.pull = { ...none, ...initial?.pull };
  }

  /** Adds the changes of one version in a part; -1 subtracts them. */
  add(part: string, { outgoing, removed, incoming, removedRemotely }: SetTally, times: 1 | -1 = 1): void {
    if (part === "sets") {
      this.push.profiles += times * outgoing;
      this.push.removals += times * removed;
      this.pull.profiles += times * incoming;
      this.pull.removals += times * removedRemotely;
    } else {
      // New results of checks replace old ones, so versions are counted.
      this.push.changedVersions += times * Math.sign(outgoing + removed);
      this.pull.changedVersions += times * Math.sign(incoming + removedRemotely);
    }
  }

  addExperiments({ push, pull }: { readonly push: number; readonly pull: number }): void {
    this.push.experimentChanges += push;
    this.pull.experimentChanges += pull;
  }
}
