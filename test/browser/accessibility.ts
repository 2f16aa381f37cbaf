import { source } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

interface AxeRule {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Fails when axe-core finds a serious or critical violation on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(source);
  const violations = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations)",
  );
  const grave = (violations as readonly AxeRule[]).filter(
    ({ impact }) => impact === "serious" || impact === "critical",
  );
  const told = grave.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 5).map((node) => `${id}: ${help}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`),
  );
  expect(told.join("\n"), "serious violations of accessibility").toBe("");
}
