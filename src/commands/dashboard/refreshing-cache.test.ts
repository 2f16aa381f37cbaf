import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { type Known, Renewed, type Told } from "./refreshing-cache.ts";

describe("a value that is renewed", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Each value takes as long as `slow` says; `fails` makes the next ones fail. */
  function world(known?: Known<string>) {
    const now = { state: "a", slow: 10, fails: undefined as Failure | undefined, made: 0, told: 0 };
    const value = new Renewed<string>({
      known,
      early: () => Promise.resolve("early"),
      state: () => now.state,
      now: () => Date.now(),
      renewed: () => void (now.told += 1),
      make: async () => {
        now.made += 1;
        const { state, fails } = now;
        await new Promise((resolve) => setTimeout(resolve, now.slow));
        if (fails) throw fails;
        return state;
      },
    });
    const asked = async (wait: number): Promise<Told<string>> => {
      const answer = value.value();
      answer.catch(() => {});
      await vi.advanceTimersByTimeAsync(wait);
      return answer;
    };
    const ask = async (wait = 10_000): Promise<string> => (await asked(wait)).value;
    return { now, ask, asked };
  }

  test("is made once for all who ask, and again when something has changed", async () => {
    const { now, ask } = world();
    const both = [ask(0), ask(0)];
    await vi.advanceTimersByTimeAsync(20);
    expect(await Promise.all(both)).toEqual(["a", "a"]);
    expect([await ask(), now.made]).toEqual(["a", 1]);
    now.state = "b";
    expect([await ask(), now.made, now.told]).toEqual(["b", 2, 0]);
  });

  test("is told as it was while the new one takes long, and that there is a new one", async () => {
    const { now, ask } = world();
    await ask();
    Object.assign(now, { state: "b", slow: 5000 });
    expect([await ask(1500), now.told]).toEqual(["a", 0]);
    await vi.advanceTimersByTimeAsync(4000);
    expect([await ask(0), now.made, now.told]).toEqual(["b", 2, 1]);
    now.state = "c";
    expect([await ask(0), now.made]).toEqual(["b", 2]);
    await vi.advanceTimersByTimeAsync(6000);
    expect([await ask(0), now.made, now.told]).toEqual(["c", 3, 2]);
  });

  test("is told as far as it is known early while the first one takes long", async () => {
    const { now, asked } = world();
    now.slow = 5000;
    expect([await asked(500), now.told]).toEqual([{ value: "early", isOld: true }, 0]);
    expect(await asked(500)).toEqual({ value: "early", isOld: true });
    await vi.advanceTimersByTimeAsync(5000);
    expect([await asked(0), now.made, now.told]).toEqual([{ value: "a", isOld: false }, 1, 1]);
  });

  test("is told as it was before this began, at once where making it took long, and not made again where nothing changed", async () => {
    const before = { state: "", value: "before", took: 5000 };
    const { now, asked } = world(before);
    expect(await asked(0)).toEqual({ value: "before", isOld: true });
    expect([await asked(1000), now.made, now.told]).toEqual([{ value: "before", isOld: true }, 1, 1]);
    expect(await asked(0)).toEqual({ value: "a", isOld: false });
    const same = world({ ...before, state: "a" });
    expect([await same.asked(0), same.now.made]).toEqual([{ value: "before", isOld: false }, 0]);
  });

  test("fails once where the first one cannot be made", async () => {
    const { now, ask } = world();
    const bad = new Failure("bad-triage", { file: "x", line: 1, column: 1, reason: "no" });
    Object.assign(now, { slow: 2000, fails: bad });
    expect(await ask(500)).toBe("early");
    await vi.advanceTimersByTimeAsync(2000);
    await expect(ask(0)).rejects.toBe(bad);
    expect([now.made, now.told]).toEqual([1, 1]);
  });

  test("is told as it was while the database is written to", async () => {
    const { now, ask } = world();
    const busy = new Failure("database-busy", { path: "x", seconds: 30 });
    now.fails = busy;
    await expect(ask()).rejects.toBe(busy);
    now.fails = undefined;
    await ask();
    Object.assign(now, { state: "b", fails: busy });
    expect(await ask()).toBe("a");
    now.fails = undefined;
    expect(await ask()).toBe("b");
  });

  test("fails as its making does, until something changes", async () => {
    const { now, ask } = world();
    await ask();
    const bad = new Failure("bad-triage", { file: "x", line: 1, column: 1, reason: "no" });
    Object.assign(now, { state: "b", fails: bad });
    await expect(ask()).rejects.toBe(bad);
    await expect(ask()).rejects.toBe(bad);
    expect(now.made).toBe(2);
    Object.assign(now, { state: "c", fails: undefined });
    expect(await ask()).toBe("c");
  });
});
