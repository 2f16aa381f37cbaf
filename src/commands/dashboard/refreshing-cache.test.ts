import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { type KnownValue, RefreshingCache, type CachedValue } from "./refreshing-cache.ts";

describe("RefreshingCache", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Each value takes `slow` ms; `fails` makes the next ones fail. */
  function world(known?: KnownValue<string>) {
    const now = { state: "a", slow: 10, fails: undefined as Failure | undefined, made: 0, refreshes: 0 };
    const value = new RefreshingCache<string>({
      cached: known,
      preview: () => Promise.resolve("early"),
      state: () => now.state,
      now: () => Date.now(),
      refreshed: () => void (now.refreshes += 1),
      compute: async () => {
        now.made += 1;
        const { state, fails } = now;
        await new Promise((resolve) => setTimeout(resolve, now.slow));
        if (fails) throw fails;
        return state;
      },
    });
    const request = async (wait: number): Promise<CachedValue<string>> => {
      const answer = value.value();
      answer.catch(() => {});
      await vi.advanceTimersByTimeAsync(wait);
      return answer;
    };
    const ask = async (wait = 10_000): Promise<string> => (await request(wait)).value;
    return { now, ask, request };
  }

  test("computes once for concurrent requests, and again after a change", async () => {
    const { now, ask } = world();
    const both = [ask(0), ask(0)];
    await vi.advanceTimersByTimeAsync(20);
    expect(await Promise.all(both)).toEqual(["a", "a"]);
    expect([await ask(), now.made]).toEqual(["a", 1]);
    now.state = "b";
    expect([await ask(), now.made, now.refreshes]).toEqual(["b", 2, 0]);
  });

  test("returns the old value while the new one takes long, then reports the refresh", async () => {
    const { now, ask } = world();
    await ask();
    Object.assign(now, { state: "b", slow: 5000 });
    expect([await ask(1500), now.refreshes]).toEqual(["a", 0]);
    await vi.advanceTimersByTimeAsync(4000);
    expect([await ask(0), now.made, now.refreshes]).toEqual(["b", 2, 1]);
    now.state = "c";
    expect([await ask(0), now.made]).toEqual(["b", 2]);
    await vi.advanceTimersByTimeAsync(6000);
    expect([await ask(0), now.made, now.refreshes]).toEqual(["c", 3, 2]);
  });

  test("returns the preview while the first value takes long", async () => {
    const { now, request } = world();
    now.slow = 5000;
    expect([await request(500), now.refreshes]).toEqual([{ value: "early", isStale: true }, 0]);
    expect(await request(500)).toEqual({ value: "early", isStale: true });
    await vi.advanceTimersByTimeAsync(5000);
    expect([await request(0), now.made, now.refreshes]).toEqual([{ value: "a", isStale: false }, 1, 1]);
  });

  test("returns a cached value at once if computing took long, and keeps it if nothing changed", async () => {
    const before = { state: "", value: "before", took: 5000 };
    const { now, request } = world(before);
    expect(await request(0)).toEqual({ value: "before", isStale: true });
    expect([await request(1000), now.made, now.refreshes]).toEqual([{ value: "before", isStale: true }, 1, 1]);
    expect(await request(0)).toEqual({ value: "a", isStale: false });
    const same = world({ ...before, state: "a" });
    expect([await same.request(0), same.now.made]).toEqual([{ value: "before", isStale: false }, 0]);
  });

  test("fails once if the first value cannot be computed", async () => {
    const { now, ask } = world();
    const bad = new Failure("bad-triage", { file: "x", line: 1, column: 1, reason: "no" });
    Object.assign(now, { slow: 2000, fails: bad });
    expect(await ask(500)).toBe("early");
    await vi.advanceTimersByTimeAsync(2000);
    await expect(ask(0)).rejects.toBe(bad);
    expect([now.made, now.refreshes]).toEqual([1, 1]);
  });

  test("returns the old value while the database is being written", async () => {
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

  test("fails like the computation until something changes", async () => {
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
