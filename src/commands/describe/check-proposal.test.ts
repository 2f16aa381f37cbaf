import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { proposeDescription } from "../../formats/proposal/index.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { checkProposal } from "./check-proposal.ts";

test("equal cells are caught in the lines that are read as rows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-check-proposal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = new Workspace({
    directory: folder,
    environment: { HOME: folder },
    now: () => 0,
    random: () => 0.5,
    command: "test",
  });
  const lines = ["alpha: 1.5 7.5 2", "beta: 1.5 7.5 2", "gamma: 1.5 8.5 2"];
  const proposal = proposeDescription([{ name: "out.txt", lines }], { name: "sample", file: "sample.inp" });
  const damaged = new TextEncoder().encode(`${lines.join("\n").replace("1.5", "none")}\n`);
  const { rules, rows } = await checkProposal(workspace, proposal, [{ name: "out.txt", lines, bytes: damaged }]);
  expect(rows).toEqual([2]);
  expect(rules.map(({ caught }) => caught.map(({ line }) => line))).toEqual([
    [2, 3],
    [2, 3],
    [2, 3],
    [2, 3],
  ]);
});
