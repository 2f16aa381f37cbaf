/** A text within an element or an attribute in double quotes. Characters that XML cannot hold become the sign for a character that is none. */
export function xmlEscaped(text: string): string {
  const held = text.replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
  return held.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("\r", "&#13;");
}
