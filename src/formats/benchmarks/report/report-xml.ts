import { byteOrderMark, readXml, type XmlElement } from "../../text/index.ts";
import { Failure, isFailure } from "../../../core/failures/index.ts";

/** Maximum number of characters; reports of large test farms fit. */
const maxXmlLength = 1 << 28;

/**
 * Parses an XML report in UTF-8, UTF-16 with a byte order mark, or declared Latin 1, and returns its root element.
 * Fails with `damaged-report`.
 */
export function reportXml(bytes: Uint8Array, file: string): XmlElement {
  try {
    return readXml(textOf(bytes), file, maxXmlLength);
  } catch (error) {
    if (!isFailure(error, "description-error")) throw error;
    const { line, problem } = error.data;
    throw new Failure("damaged-report", { file, line, problem });
  }
}

function textOf(bytes: Uint8Array): string {
  const { encoding = "utf-8" } = byteOrderMark(bytes);
  if (encoding !== "utf-8") return new TextDecoder(encoding).decode(bytes);
  const declared = /^<\?xml[^>]{0,100}encoding\s*=\s*["'](?:iso-8859-1|latin1|windows-1252)["']/i.test(
    new TextDecoder().decode(bytes.subarray(0, 256)),
  );
  return new TextDecoder(declared ? "windows-1252" : "utf-8").decode(bytes);
}

/** The name of the first element in a possible XML text, e.g. `testsuite`; empty if there is none. */
export function rootName(head: Uint8Array): string {
  const text = new TextDecoder().decode(head).trimStart();
  for (let at = 0; text[at] === "<"; at = skipMarkup(text, at)) {
    const name = /^<([A-Za-z_][\w.-]{0,60})/.exec(text.slice(at, at + 64))?.[1];
    if (name !== undefined) return name;
    if (text[at + 1] !== "?" && text[at + 1] !== "!") return "";
  }
  return "";
}

/** The position after a comment, declaration or instruction and the white space that follows. */
function skipMarkup(text: string, from: number): number {
  const end = text.startsWith("<!--", from) ? "-->" : ">";
  const start = text.indexOf(end, from);
  if (start < 0) return text.length;
  let at = start + end.length;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

/** The trimmed text of the first child with the name; empty if there is none. */
export function childText(element: XmlElement, name: string): string {
  return element.children.find((child) => child.name === name)?.text.trim() ?? "";
}
