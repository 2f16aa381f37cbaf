import { terminalText } from "../../../core/text/index.ts";

/** Escapes untrusted text for a line or table cell of Markdown. */
export function markdownText(text: string): string {
  return terminalText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\`*_{}[\]#|~>]/g, "\\$&");
}
