import { terminalText } from "../../../core/text/terminal-text.ts";

/** Untrusted text in a line of Markdown: nothing in it marks up, and no cell ends early. */
export function markdownText(text: string): string {
  return terminalText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\`*_{}[\]#|~>]/g, "\\$&");
}
