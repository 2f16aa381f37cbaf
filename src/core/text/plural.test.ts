import { expect, test } from "vitest";
import { counted } from "./plural.ts";

test("singular and plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "run"))).toEqual(["0 runs", "1 run", "2 runs"]);
  expect([1, 2].map((count) => counted(count, "index", "indexes"))).toEqual(["1 index", "2 indexes"]);
});
