import { byteOrderMark } from "../text/index.ts";
import { Failure } from "../../core/failures/index.ts";

/**
 * Decodes a description file by its byte order mark, else by the encoding in its XML declaration, else as UTF-8. Fails
 * with `description-error` on an unknown encoding or invalid bytes.
 */
export function descriptionText(bytes: Uint8Array, file: string): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const known = error instanceof TypeError;
    const problem = known ? `the bytes are not valid ${encoding}` : `unknown encoding '${encoding}'`;
    const advice = "save it as UTF-8, or name its encoding in an XML declaration";
    throw new Failure("description-error", { file, line: 1, column: 1, problem, advice }, error);
  }
}

function encodingOf(bytes: Uint8Array): string {
  const { encoding = "utf-8" } = byteOrderMark(bytes);
  if (encoding !== "utf-8") return encoding;
  const [first, second] = bytes;
  if (first === 0x3c && second === 0) return "utf-16le";
  if (first === 0 && second === 0x3c) return "utf-16be";
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const declared =
    /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*\sencoding\s*=\s*["']([^"'>]*)["']/.exec(head)?.[1]?.toLowerCase() ?? "utf-8";
  return declared.startsWith("utf-16") ? "utf-8" : declared;
}
