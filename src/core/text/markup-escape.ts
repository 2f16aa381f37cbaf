import { terminalText } from "./terminal-text.ts";

/**
 * Untrusted text with hidden characters made visible, as XML and HTML may hold it in content and in quoted attributes.
 */
export function markupText(text: string): string {
  return terminalText(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
