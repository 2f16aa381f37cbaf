import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Playground, timeProfile, type Ended } from "./program.ts";

/** A repository with two commits and an instance, and the program under the name perun. */
export class Perun extends Playground {
  readonly head: string;

  constructor() {
    super();
    symlinkSync(this.program, join(this.home, "perun"));
    this.commit("Begin");
    this.head = this.commit("Sort by merging\n\nwith a longer text");
    this.did("init");
  }

  tell(...words: string[]): Ended {
    return this.start(join(this.home, "perun"), words);
  }

  did(...words: string[]): string {
    const ended = this.tell(...words);
    if (ended.status !== 0) throw new Error(`perun ${words.join(" ")} ended with ${ended.status}: ${ended.stderr}`);
    return ended.stdout;
  }

  /** Status and code of a command that fails. */
  refused(...words: string[]): [number | null, string] {
    const { status, stderr } = this.tell(...words);
    expect(stderr).toMatch(/^perun: error: .*\n$/);
    return [status, /\[([a-z-]+)\]\n$/.exec(stderr)?.[1] ?? ""];
  }

  profile(name: string, amounts: readonly number[], modified: number): void {
    this.write(
      `.perun/jobs/${name}`,
      timeProfile({ origin: this.head, amounts, cmd: "./sort", workload: "big" }),
      modified,
    );
  }
}

/** Changes as the store keeps them. */
export function keepChanges(place: Perun, lines: readonly string[]): void {
  const { head } = place;
  const file = join(place.folder, ".perun/objects", head.slice(0, 2), `${head.slice(2)}.changes`);
  writeFileSync(file, lines.map((line) => line.replace("@", head)).join("\n"));
}
