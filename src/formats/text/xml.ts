import { SaxesParser } from "saxes";
import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";

/** A 1-based position in a file. */
export interface XmlPosition {
  readonly line: number;
  readonly column: number;
}

/** An element of a description. Attributes and text are unchanged except for resolved entities. */
export interface XmlElement extends XmlPosition {
  readonly file: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly inside, all pieces concatenated, not trimmed. */
  readonly text: string;
  /** Where the text begins. */
  readonly textStart: XmlPosition;
}

/** Limits on nesting and length: descriptions are small. */
const deepest = 64;
const largest = 1 << 20;

interface Draft extends XmlPosition {
  readonly file: string;
  readonly name: string;
  attributes: Map<string, string>;
  readonly children: XmlElement[];
  text: string;
  textStart: XmlPosition;
}

/** True for an XML document rather than one of the text description languages. */
export function isXml(text: string): boolean {
  return /^\ufeff?\s*</.test(text);
}

/**
 * Reads an XML document. Document types are ignored: their entities are unknown and external resources are never
 * opened. Fails with `description-error` at file:line:column, also if there are more than `most` characters.
 */
export function readXml(text: string, file: string, most = largest): XmlElement {
  if (text.length > most)
    throw tooLarge(file, 1, 1, `${text.length} characters are too many, at most ${most} are read`);
  return new TreeReader(file).read(text.replace(/^\ufeff/, ""));
}

/** Builds the tree from parser events. */
class TreeReader {
  readonly #parser = new SaxesParser<{ readonly xmlns: false; readonly position: true }>({
    xmlns: false,
    position: true,
  });
  readonly #file: string;
  readonly #open: Draft[] = [];
  #root: Draft | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#parser.on("error", (error) => this.#refuse(error));
    this.#parser.on("opentagstart", ({ name }) => this.#begin(name));
    this.#parser.on("opentag", ({ attributes }) => this.#enter(attributes));
    this.#parser.on("text", (piece) => this.#add(piece));
    this.#parser.on("cdata", (piece) => this.#add(piece));
    this.#parser.on("closetag", () => this.#end());
  }

  read(text: string): XmlElement {
    this.#parser.write(text).close();
    if (!this.#root) throw tooLarge(this.#file, 1, 1, "there is no element");
    return this.#root;
  }

  #refuse(error: Error): never {
    const { line, column } = this.#parser;
    const problem = error.message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    const position = { file: this.#file, line, column: Math.max(1, column) };
    throw new Failure("description-error", { ...position, problem, advice: "it has to be well-formed XML" });
  }

  /** The parser is after the name and counts columns from 0. */
  #begin(name: string): void {
    const { line, column: end } = this.#parser;
    const column = end - Array.from(name).length - 1;
    if (this.#open.length >= deepest)
      throw tooLarge(this.#file, line, column, `'${name.slice(0, 40)}' is nested deeper than ${deepest} elements`);
    this.#open.push({
      file: this.#file,
      name,
      line,
      column,
      attributes: new Map(),
      children: [],
      text: "",
      textStart: { line, column },
    });
  }

  #enter(attributes: Readonly<Record<string, string>>): void {
    const draft = this.#open.at(-1);
    if (!draft) return;
    draft.attributes = new Map(Object.entries(attributes));
    draft.textStart = { line: this.#parser.line, column: this.#parser.column + 1 };
  }

  #add(piece: string): void {
    const draft = this.#open.at(-1);
    if (draft) draft.text += piece;
  }

  #end(): void {
    const done = this.#open.pop();
    if (!done) return;
    this.#open.at(-1)?.children.push(done);
    this.#root = done;
  }
}

function tooLarge(file: string, line: number, column: number, problem: string): Failure {
  return new Failure("description-error", { file, line, column, problem, advice: "give a description" });
}

/** `file:line:column: problem, did you mean …?`; `word` is compared with `candidates` for near names. */
export function xmlError(
  position: XmlPosition & { readonly file: string },
  problem: string,
  details: { readonly word?: string; readonly candidates?: readonly string[]; readonly advice?: string } = {},
): Failure {
  const { word, candidates = [], advice } = details;
  const near = word === undefined ? "" : nearest(word.slice(0, 64), candidates).join(", ");
  return new Failure("description-error", {
    file: position.file,
    line: position.line,
    column: position.column,
    problem,
    word,
    near,
    advice,
  });
}

/**
 * Escapes a text for XML text or an attribute. Fails with `not-in-xml` for characters that XML cannot represent.
 */
export function escapeXml(text: string): string {
  const wrong = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text)?.[0];
  if (wrong !== undefined) throw new Failure("not-in-xml", { code: wrong.charCodeAt(0) });
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\r", "&#13;");
}
