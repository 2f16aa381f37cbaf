import type { SetTally } from "../../formats/store/sharing/observed-remove-status.ts";
import type { ShareCounts } from "../../formats/store/sharing/remote-record.ts";

type Sum = { -readonly [Name in keyof ShareCounts]: number };

/** Adds up what there is to push and to pull. */
export class ShareTotals {
  readonly push: Sum;
  readonly pull: Sum;

  constructor(begun?: { readonly push: ShareCounts; readonly pull: ShareCounts }) {
    const none = { profiles: 0, removals: 0, changedVersions: 0, experimentChanges: 0 };
    this.push = { ...none, ...begun?.push };
    this.pull = { ...none, ...begun?.pull };
  }

  /** What is to be done at one version, in the part of that name; `times`: -1 takes it away. */
  add(part: string, { ahead, removed, behind, removedThere }: SetTally, times: 1 | -1 = 1): void {
    if (part === "sets") {
      this.push.profiles += times * ahead;
      this.push.removals += times * removed;
      this.pull.profiles += times * behind;
      this.pull.removals += times * removedThere;
    } else {
      // Whatever checks find anew takes the place of what they found before.
      this.push.changedVersions += times * Math.sign(ahead + removed);
      this.pull.changedVersions += times * Math.sign(behind + removedThere);
    }
  }

  addExperiments({ push, pull }: { readonly push: number; readonly pull: number }): void {
    this.push.experimentChanges += push;
    this.pull.experimentChanges += pull;
  }
}
