import { expect, test } from "vitest";
import { fakeInterrupts } from "../../../test/fakes/interrupts.ts";
import { interruptible } from "./interruptible.ts";

test("fails at the next check, and handles a single interrupt", async () => {
  const fake = fakeInterrupts();
  const done: number[] = [];
  const work = interruptible(
    async (check, stopped) => {
      check();
      expect(stopped.aborted).toBe(false);
      done.push(1);
      fake.interrupt();
      expect([fake.listeners, stopped.aborted]).toEqual([0, true]);
      check();
      done.push(2);
    },
    "nothing was stored",
    fake.interrupts,
  );
  await expect(work).rejects.toMatchObject({ code: "interrupted", exit: 130 });
  await expect(work).rejects.toHaveProperty("remedy", "nothing was stored; run the same command again");
  expect(done).toEqual([1]);
});

test("reports the interrupt instead of other errors, but keeps a completed result", async () => {
  const fake = fakeInterrupts();
  const failing = async (): Promise<never> => (fake.interrupt(), Promise.reject(new Error("closed")));
  await expect(interruptible(failing, "", fake.interrupts)).rejects.toMatchObject({ code: "interrupted" });
  expect(await interruptible(async () => (fake.interrupt(), 7), "", fake.interrupts)).toBe(7);
  await expect(interruptible(async () => Promise.reject(new Error("own")), "", fake.interrupts)).rejects.toThrow("own");
  expect(fake.listeners).toBe(0);
});
