import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { timeProfile } from "../../../test/cli/program.ts";
import { MeasuredProject } from "../../../test/fakes/measured-project.ts";
import { add } from "../profiles/register.ts";
import { changeVerdicts } from "./change-verdicts.ts";
import { checkHead } from "./check-history.ts";

let project: MeasuredProject;

beforeEach(() => (project = new MeasuredProject()));

afterEach(() => project.remove());

/** Commits and registers profiles measured at that commit. */
async function commitWithProfiles(message: string, profiles: Readonly<Record<string, string>>): Promise<void> {
  project.commit(message);
  mkdirSync(join(project.path, ".perun", "jobs"), { recursive: true });
  for (const [name, text] of Object.entries(profiles)) {
    const origin = `{"origin": "${project.head()}", `;
    writeFileSync(join(project.path, ".perun", "jobs", name), text.replace("{", origin));
    const options = { profiles: [name], keepProfile: false, force: false, allowDirty: false, confirm: null };
    expect((await add(project.open(), options)).failed).toEqual([]);
  }
}

const method = { method: "average-amount" };

function normalized(amount: number, params: object = {}): string {
  const step = JSON.stringify([{ name: "normalizer", params }]);
  return timeProfile({ amounts: [amount] })
    .replace('"postprocessors":[]', `"postprocessors":${step}`)
    .replace('"time":"s"', '"time":""');
}

test("compares shares with the newest shares, not with amounts", async () => {
  await commitWithProfiles("one", { "shares.perf": normalized(1) });
  await commitWithProfiles("two", { "amounts.perf": timeProfile({ amounts: [9] }) });
  await commitWithProfiles("three", { "shares.perf": normalized(1) });
  const { checks } = await checkHead(project.open(), undefined, method);
  expect(checks).toMatchObject([
    { baseline: { profile: { name: "shares.perf" } }, changes: [{ result: "NoChange", from: "1.0" }] },
  ]);
  const perun = await checkHead(project.open(), undefined, { ...method, compat: "perun" });
  expect(perun.checks).toMatchObject([{ baseline: { profile: { name: "amounts.perf" } } }]);
});

test("reports a pair that cannot be compared and compares the others", async () => {
  const bytes = timeProfile({ amounts: [9] }).replace('"time":"s"', '"time":"B"');
  await commitWithProfiles("one", {
    "a.perf": timeProfile({ amounts: [1] }),
    "b.perf": timeProfile({ cmd: "./b", amounts: [1] }),
  });
  await commitWithProfiles("two", { "a.perf": bytes, "b.perf": timeProfile({ cmd: "./b", amounts: [4] }) });
  const found = await checkHead(project.open(), undefined, method);
  expect(found.checks).toMatchObject([
    { profile: { name: "a.perf" }, changes: [], incomparable: expect.stringContaining("cannot convert") },
    { profile: { name: "b.perf" }, changes: [{ result: "Degradation" }] },
  ]);
  expect((await changeVerdicts(project.open(), [found])).map(({ outcome: word }) => word)).toEqual([
    "inconclusive",
    "worse",
  ]);
});

test("does not compare rows of the same postprocessor with different options", async () => {
  await commitWithProfiles("one", { "shares.perf": normalized(1, { by: ["type"] }) });
  await commitWithProfiles("two", { "shares.perf": normalized(1, { by: ["uid"] }) });
  const { checks } = await checkHead(project.open(), undefined, method);
  expect(checks).toMatchObject([{ changes: [], incomparable: expect.stringContaining("normalizer") }]);
});
