import { expect, test } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { whenThereIsRoom } from "./postgres-connect-retry.ts";

const full = (): Failure =>
  new Failure("database-full", { host: "server", port: 5432, user: "ann", reason: "sorry, too many clients already" });

/** Fails so many times as a full server does. */
function fullFor(times: number): () => Promise<string> {
  let left = times;
  return async () => {
    if (left-- > 0) throw full();
    return "connected";
  };
}

test("waits until there is room, as long as is drawn", async () => {
  let drawn = 0;
  await expect(whenThereIsRoom(fullFor(3), 60_000, () => drawn++ / 1000)).resolves.toBe("connected");
  expect(drawn).toBe(3);
});

test("gives up in the end, and says how long it waited", async () => {
  const error: unknown = await whenThereIsRoom(fullFor(Infinity), 150, () => 0).catch((error: unknown) => error);
  expect(error).toMatchObject({ code: "database-full", data: { host: "server", seconds: 0 } });
});

test("waits for nothing else", async () => {
  let tries = 0;
  const denied = async (): Promise<never> => {
    tries += 1;
    throw new Failure("database-denied", {});
  };
  await expect(whenThereIsRoom(denied, 60_000, () => 0)).rejects.toMatchObject({ code: "database-denied" });
  expect(tries).toBe(1);
});
