import type { Page } from "playwright-core";

/**
 * Collects what the page does wrong from now on: errors on its console, exceptions, requests that leave its origin (of
 * a file: any but itself).
 */
export function watched(page: Page, url: string): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    // What the driver of the graphics finds slow on a machine without a card is nothing that a page does.
    if (message.text().includes("GL Driver Message")) return;
    if (message.type() === "error" || message.type() === "warning")
      problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("crash", () => problems.push("the page crashed"));
  page.on("request", (request) => {
    if (!isOwn(new URL(url), new URL(request.url()))) problems.push(`request to ${request.url().slice(0, 200)}`);
  });
  return problems;
}

/** `data:` and `blob:` carry their contents in themselves. */
function isOwn(page: URL, asked: URL): boolean {
  if (asked.protocol === "data:" || asked.protocol === "blob:") return true;
  return page.protocol === "file:"
    ? asked.protocol === "file:" && asked.pathname === page.pathname
    : asked.origin === page.origin;
}
