import { SaxesParser } from "saxes";
import { Failure } from "../core/errors.ts";
import { nearest } from "../core/near-names.ts";

/** Where something stands in a file; 1-based. */
export interface XmlPlace {
  readonly line: number;
  readonly column: number;
}

/** An element of a description. Attributes and text are as written, entities resolved. */
export interface XmlElement extends XmlPlace {
  readonly file: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly inside, all pieces joined, not trimmed. */
  readonly text: string;
  /** Where the text begins. */
  readonly content: XmlPlace;
}

/** Descriptions are small; whoever nests deeper or writes more has something else in mind. */
const deepest = 64;
const largest = 1 << 20;

interface Draft extends XmlPlace {
  readonly file: string;
  readonly name: string;
  attributes: Map<string, string>;
  readonly children: XmlElement[];
  text: string;
  content: XmlPlace;
}

/** True for the text of an XML document rather than that of our own description languages. */
export function isXml(text: string): boolean {
  return /^\ufeff?\s*</.test(text);
}

/**
 * Reads an XML document. Document types are passed over: their entities are unknown and nothing outside is ever opened. Fails with
 * `description-error` at file:line:column.
 */
export function readXml(text: string, file: string): XmlElement {
  if (text.length > largest) throw tooMuch(file, 1, 1, `${text.length} characters are too many, at most ${largest} are read`);
  const parser = new SaxesParser({ position: true });
  const open: Draft[] = [];
  let root: Draft | undefined;
  const here = (): XmlPlace => ({ line: parser.line, column: parser.column + 1 });
  parser.on("error", (error) => {
    const problem = error.message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    throw new Failure("description-error", {
      file,
      line: parser.line,
      column: Math.max(1, parser.column),
      problem,
      advice: "it has to be well-formed XML",
    });
  });
  parser.on("opentagstart", ({ name }) => {
    const column = parser.column - Array.from(name).length - 1;
    if (open.length >= deepest)
      throw tooMuch(file, parser.line, column, `'${name.slice(0, 40)}' is nested deeper than ${deepest} elements`);
    open.push({ file, name, line: parser.line, column, attributes: new Map(), children: [], text: "", content: here() });
  });
  parser.on("opentag", ({ attributes }) => {
    const draft = open.at(-1);
    if (!draft) return;
    draft.attributes = new Map(Object.entries(attributes));
    draft.content = here();
  });
  const addText = (piece: string): void => {
    const draft = open.at(-1);
    if (draft) draft.text += piece;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const done = open.pop();
    if (!done) return;
    open.at(-1)?.children.push(done);
    root = done;
  });
  parser.write(text.replace(/^\ufeff/, "")).close();
  if (!root) throw tooMuch(file, 1, 1, "there is no element");
  return root;
}

function tooMuch(file: string, line: number, column: number, problem: string): Failure {
  return new Failure("description-error", { file, line, column, problem, advice: "give a description" });
}

/** `file:line:column: problem, did you mean …?`; `word` is compared with `candidates` for near names. */
export function xmlError(
  place: XmlPlace & { readonly file: string },
  problem: string,
  details: { readonly word?: string; readonly candidates?: readonly string[]; readonly advice?: string } = {},
): Failure {
  const { word, candidates = [], advice } = details;
  const near = word === undefined ? "" : nearest(word.slice(0, 64), candidates).join(", ");
  return new Failure("description-error", { file: place.file, line: place.line, column: place.column, problem, word, near, advice });
}

/** The text as XML content or attribute, with what would mean something else escaped. Characters that XML cannot hold are refused. */
export function escapeXml(text: string): string {
  const wrong = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\p{Surrogate}]/u.exec(text)?.[0];
  if (wrong !== undefined) throw new Failure("not-in-xml", { code: wrong.charCodeAt(0) });
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("\r", "&#13;");
}
