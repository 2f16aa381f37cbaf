import { terminalText } from "./terminal-text.ts";

/** Escapes untrusted text for elements and quoted attributes of XML and HTML, and makes hidden characters visible. */
export function markupText(text: string): string {
  return terminalText(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
