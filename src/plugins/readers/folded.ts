import { foldedShare, readFolded } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const folded: Reader = stackReader("folded", "folded stacks, one per line with a count", sniff, readFolded);

/** Any lines that end in numbers could match: high confidence only with stacks of several calls. */
function sniff(head: Uint8Array): number {
  const text = textOf(head);
  const share = foldedShare(text);
  if (share < 0.5 || text.includes("\0")) return 0;
  return /^\S[^;\n]*;.* -?\d+(?:\.\d+)?\r?$/m.test(text) ? 0.55 : share === 1 ? 0.2 : 0;
}

function textOf(head: Uint8Array): string {
  const [first, second] = head;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(head);
}
