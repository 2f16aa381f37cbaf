import { expect, test } from "vitest";
import { cargoTarget } from "./cargo-target.ts";

test("reads the target from the output of cargo", () => {
  expect(cargoTarget("     Running unittests src/lib.rs (target/release/deps/numbers-9fbf0ae94dc646ba)")).toBe(
    "numbers",
  );
  expect(cargoTarget("     Running benches/sums.rs (target\\release\\deps\\sums-785b854165cba87e.exe)")).toBe("sums");
  expect(cargoTarget("     Running target/release/deps/old_one-8b173c29ce041afa")).toBe("old_one");
  expect(cargoTarget("Running late (x)")).toBeUndefined();
  expect(cargoTarget(`     Running ${"a (".repeat(3000)}`)).toBeUndefined();
});
