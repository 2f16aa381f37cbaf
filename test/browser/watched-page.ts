import type { Page } from "playwright-core";

/**
 * Collects the problems of a page: console errors and warnings, exceptions, requests to other origins (for a file: to
 * any other file).
 */
export function watched(page: Page, url: string): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    // Performance warnings of the graphics driver are not problems of the page.
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

/** `data:` and `blob:` URLs are self-contained. */
function isOwn(page: URL, target: URL): boolean {
  if (target.protocol === "data:" || target.protocol === "blob:") return true;
  return page.protocol === "file:"
    ? target.protocol === "file:" && target.pathname === page.pathname
    : target.origin === page.origin;
}
