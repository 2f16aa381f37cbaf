import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { timeProfile } from "../../../test/cli/program.ts";
import { MeasuredProject } from "../../../test/fakes/measured-project.ts";
import { add } from "../profiles/add.ts";
import { changeVerdicts } from "./change-verdicts.ts";
import { checkHead } from "./check-history.ts";

let place: MeasuredProject;

beforeEach(() => (place = new MeasuredProject()));

afterEach(() => place.remove());

/** A version, and the profiles that were measured of it. */
async function measured(word: string, profiles: Readonly<Record<string, string>>): Promise<void> {
  place.commit(word);
  mkdirSync(join(place.path, ".perun", "jobs"), { recursive: true });
  for (const [name, text] of Object.entries(profiles)) {
    const origin = `{"origin": "${place.head()}", `;
    writeFileSync(join(place.path, ".perun", "jobs", name), text.replace("{", origin));
    const options = { profiles: [name], keepProfile: false, force: false, allowDirty: false, confirm: null };
    expect((await add(place.open(), options)).failed).toEqual([]);
  }
}

const how = { method: "average-amount" };

function normalized(amount: number, params: object = {}): string {
  const step = JSON.stringify([{ name: "normalizer", params }]);
  return timeProfile({ amounts: [amount] })
    .replace('"postprocessors":[]', `"postprocessors":${step}`)
    .replace('"time":"s"', '"time":""');
}

test("shares are compared with the newest shares, not with amounts", async () => {
  await measured("one", { "shares.perf": normalized(1) });
  await measured("two", { "amounts.perf": timeProfile({ amounts: [9] }) });
  await measured("three", { "shares.perf": normalized(1) });
  const { checks } = await checkHead(place.open(), undefined, how);
  expect(checks).toMatchObject([
    { baseline: { profile: { name: "shares.perf" } }, changes: [{ result: "NoChange", from: "1.0" }] },
  ]);
  const perun = await checkHead(place.open(), undefined, { ...how, compat: "perun" });
  expect(perun.checks).toMatchObject([{ baseline: { profile: { name: "amounts.perf" } } }]);
});

test("a pair that cannot be compared is told, and the others are compared", async () => {
  const bytes = timeProfile({ amounts: [9] }).replace('"time":"s"', '"time":"B"');
  await measured("one", {
    "a.perf": timeProfile({ amounts: [1] }),
    "b.perf": timeProfile({ cmd: "./b", amounts: [1] }),
  });
  await measured("two", { "a.perf": bytes, "b.perf": timeProfile({ cmd: "./b", amounts: [4] }) });
  const found = await checkHead(place.open(), undefined, how);
  expect(found.checks).toMatchObject([
    { profile: { name: "a.perf" }, changes: [], incomparable: expect.stringContaining("cannot convert") },
    { profile: { name: "b.perf" }, changes: [{ result: "Degradation" }] },
  ]);
  expect((await changeVerdicts(place.open(), [found])).map(({ word }) => word)).toEqual(["inconclusive", "worse"]);
});

test("rows of the same postprocessor with other options are not compared", async () => {
  await measured("one", { "shares.perf": normalized(1, { by: ["type"] }) });
  await measured("two", { "shares.perf": normalized(1, { by: ["uid"] }) });
  const { checks } = await checkHead(place.open(), undefined, how);
  expect(checks).toMatchObject([{ changes: [], incomparable: expect.stringContaining("normalizer") }]);
});
