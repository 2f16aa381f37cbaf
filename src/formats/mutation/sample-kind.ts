import { binaryRules } from "./binary-rules.ts";
import type { MutationRule } from "./rule.ts";
import { decodedUtf8 } from "./sample-text.ts";
import { textRules } from "./text-rules.ts";
import { xmlRules } from "./xml-rules.ts";

export type SampleKind = "text" | "xml" | "binary";

const xmlEndings = new Set(["xml", "html", "htm", "svg", "xhtml", "xul", "xsl", "xsd", "rss", "atom", "plist"]);

/** What a head tells of a document whose name does not. */
const xmlHead = /^\uFEFF?\s{0,100}<(?:\?xml|!doctype\s+html|html)\b/i;

/** How much of a sample tells what it is. */
const headLength = 65_536;

/** XML by the ending of its name or its head; text where it is UTF-8 without control characters; else binary. */
export function kindOfSample(name: string, bytes: Uint8Array): SampleKind {
  const head = headText(bytes);
  if (head === undefined) return "binary";
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return xmlEndings.has(ending) || xmlHead.test(head) ? "xml" : "text";
}

/** The beginning of a text; the end of it may cut a character in two. */
function headText(bytes: Uint8Array): string | undefined {
  for (let cut = 0; cut < 4; cut++) {
    const text = decodedUtf8(bytes.subarray(0, Math.min(bytes.length, headLength) - cut));
    // oxlint-disable-next-line no-control-regex -- these are what is looked for.
    if (text !== undefined) return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
    if (bytes.length <= headLength) return undefined;
  }
  return undefined;
}

/** All rules, those of the user first. */
export function allRules(own: readonly MutationRule[]): readonly MutationRule[] {
  return [...own, ...xmlRules, ...textRules, ...binaryRules];
}

const families: Readonly<Record<SampleKind, readonly MutationRule["family"][]>> = {
  text: ["pattern", "text"],
  xml: ["pattern", "xml", "text"],
  binary: ["pattern", "binary"],
};

/** Whether a rule is meant for that kind of sample. */
export function suits(rule: MutationRule, kind: SampleKind): boolean {
  return families[kind].includes(rule.family);
}
