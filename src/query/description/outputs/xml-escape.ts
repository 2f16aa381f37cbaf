/**
 * Escapes a text for an element or a double-quoted attribute. Replaces characters that XML cannot represent by U+FFFD;
 * control characters become references.
 */
export function xmlEscaped(text: string): string {
  if (plain.test(text)) return text;
  const held = text.replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
  return held.replaceAll(/[&<>"\r\u007f-\u009f]/g, (sign) => entities[sign] ?? `&#${sign.charCodeAt(0)};`);
}

const plain = /^[\w .:+-]*$/;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
