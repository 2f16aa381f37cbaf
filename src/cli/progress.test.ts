import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { openProgress, timeLeft, type Progress } from "./progress.ts";
import type { Session } from "./session.ts";

/** A fake terminal and a clock that the test controls. */
function scene(options: { readonly isTTY: boolean; readonly quiet: boolean }): {
  progress: Progress;
  clock: { now: number };
  text(): string;
} {
  const written: string[] = [];
  const stderr = Object.assign(
    new Writable({
      write(chunk, _, done) {
        written.push(String(chunk));
        done();
      },
    }),
    { isTTY: options.isTTY, columns: 100 },
  );
  const clock = { now: 0 };
  const session = {
    streams: { stderr },
    output: { options: { quiet: options.quiet } },
    world: { now: () => clock.now },
  };
  return { progress: openProgress(session as unknown as Session), clock, text: () => written.join("") };
}

test.each([
  [10_000, 0, 5, "estimating"],
  [10_000, 1, 5, "50 s left"],
  [1_000, 2, 0, "0 s left"],
  [60_000, 1, 2.5, "2 min 30 s left"],
  [3_600_000, 1, 1.5, "1 h 30 min left"],
  [3_600_000, 1, 200, "days left"],
])("estimates the remaining time: %i ms for %f, %f left: %s", (elapsed, done, rest, expected) => {
  expect(timeLeft(elapsed, done, rest)).toBe(expected);
});

test("shows the bar after a second and keeps its estimate when hidden or when the total changes", () => {
  const { progress, clock, text } = scene({ isTTY: true, quiet: false });
  progress.show(2, 12, "first");
  expect(text()).toBe("");
  clock.now = 20_000;
  progress.show(4, 12, "\u001b[31msecond");
  expect(text()).toContain("1 min 20 s left");
  expect(text()).not.toContain("\u001b[31m");
  progress.hide();
  clock.now = 40_000;
  progress.show(6, 8, "third");
  expect(text()).toMatch(/75% \| 20 s left \| third/);
  progress.hide();
});

test("a phase removes the bar and has an estimate of its own", () => {
  const { progress, clock, text } = scene({ isTTY: true, quiet: false });
  progress.show(0, 10, "first");
  clock.now = 10_000;
  progress.show(10, 10, "first");
  progress.phase();
  progress.show(50, 100, "second");
  progress.hide();
  clock.now = 12_000;
  progress.show(51, 100, "second");
  expect(text()).toMatch(/51% \| 1 min 38 s left \| second/);
  progress.hide();
});

test.each([
  { isTTY: false, quiet: false },
  { isTTY: true, quiet: true },
])("draws nothing with %j", (options) => {
  const { progress, clock, text } = scene(options);
  clock.now = 5000;
  progress.show(1, 2, "x");
  progress.hide();
  expect(text()).toBe("");
});
