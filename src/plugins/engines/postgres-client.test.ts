import { expect, test } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { retryWhenFull } from "./postgres-client.ts";

const full = (): Failure =>
  new Failure("database-full", { host: "server", port: 5432, user: "ann", reason: "sorry, too many clients already" });

/** Fails `times` times like a full server. */
function fullFor(times: number): () => Promise<string> {
  let left = times;
  return async () => {
    if (left-- > 0) throw full();
    return "connected";
  };
}

test("retries after random pauses", async () => {
  let drawn = 0;
  await expect(retryWhenFull(fullFor(3), 60_000, () => drawn++ / 1000)).resolves.toBe("connected");
  expect(drawn).toBe(3);
});

test("fails after the timeout and reports it", async () => {
  const error: unknown = await retryWhenFull(fullFor(Infinity), 150, () => 0).catch((error: unknown) => error);
  expect(error).toMatchObject({ code: "database-full", data: { host: "server", seconds: 0 } });
});

test("does not retry other failures", async () => {
  let tries = 0;
  const denied = async (): Promise<never> => {
    tries += 1;
    throw new Failure("database-denied", {});
  };
  await expect(retryWhenFull(denied, 60_000, () => 0)).rejects.toMatchObject({ code: "database-denied" });
  expect(tries).toBe(1);
});
