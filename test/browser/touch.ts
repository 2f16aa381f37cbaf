import type { Page } from "playwright-core";

/** Moves fingers from one horizontal position to another; without a second position they only tap. */
export async function pinch(page: Page, from: readonly number[], to: readonly number[], y: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", xs: readonly number[]): Promise<unknown> =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x, y, id })) });
  await touch("touchStart", from);
  for (const share of to.length === 0 ? [] : [0.25, 0.5, 0.75, 1])
    await touch(
      "touchMove",
      from.map((x, id) => x + (to[id]! - x) * share),
    );
  await touch("touchEnd", []);
}
