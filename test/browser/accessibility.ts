import { source } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

interface AxeRule {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Fails if axe-core reports a serious or critical violation on the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(source);
  const violations = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((results) => results.violations)",
  );
  const serious = (violations as readonly AxeRule[]).filter(
    ({ impact }) => impact === "serious" || impact === "critical",
  );
  const messages = serious.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 5).map((node) => `${id}: ${help}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`),
  );
  expect(messages.join("\n"), "serious accessibility violations").toBe("");
}
