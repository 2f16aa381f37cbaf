// Text primitives: encodings, lines, CSV, XML, YAML, format strings, printed quantities and linear-time patterns.
// Used by the other formats, plugins, store, workspace and commands.
// Never opens a file and never depends on another format.

export { byteOrderMark } from "./byte-order-mark.ts";
export { compareByCodePoint } from "./code-points.ts";
export {
  PlainRow,
  type SourceRow,
  csvCells,
  csvRows,
  isBlankByte,
  isMissingMark,
  separatedLines,
  separatorOf,
} from "./csv-rows.ts";
export { type FormatPiece, parseFormatString } from "./format-string.ts";
export {
  hasPluralMark,
  prefixedNumber,
  printedNumber,
  printedSeconds,
  scaledNumber,
  shiftedText,
} from "./parse-quantity.ts";
export { type Pattern, type PatternMatch, compilePattern, longestPattern } from "./pattern.ts";
export { ByteText, type Encoding, byteSpelling, decodeInput, encodings } from "./text-encoding.ts";
export { shownText } from "./shown-text.ts";
export { type LineBlock, LineBuffer, lineBlocks, textLineLists, textLines } from "./text-lines.ts";
export {
  type XmlPiece,
  type XmlTextKind,
  checkShape,
  childOf,
  childrenOf,
  choiceOf,
  isEmpty,
  printDocument,
  printText,
  quoteForMessage,
  requiredChild,
  textOf,
  textPosition,
  xmlPiece,
} from "./xml-children.ts";
export { type XmlElement, escapeXml, isXml, readXml, xmlError } from "./xml.ts";
export { readPlainYaml } from "./yaml-subset.ts";
export { editYaml, printYaml, readYaml } from "./yaml.ts";
