// Escaping and measuring of text for terminals, markup and gnuplot; command lines, name suggestions.
// Used by every layer that prints untrusted text.
// Never writes to a stream and never trusts its input.

export { causeLine } from "./cause-line.ts";
export { fittedWidths, naturalWidth } from "./column-widths.ts";
export { quoteCommand, shellCommand, splitCommand, splitPipeline } from "./command-line.ts";
export { enhanced, enhancedTitle, quoted } from "./gnuplot-escape.ts";
export { firstNames } from "./first-names.ts";
export { markupText } from "./markup-escape.ts";
export { nearest, textSimilarity } from "./name-suggestions.ts";
export { compareNaturally, sharedWords, type SharedWords } from "./names-in-lists.ts";
export { PathGlob } from "./path-glob.ts";
export { counted } from "./plural.ts";
export { generalFormat, oneDecimal } from "./printf-number.ts";
export { redactLogin, redactLogins } from "./redacted-address.ts";
export {
  asciiText,
  cutMiddle,
  cutToWidth,
  displayWidth,
  padToWidth,
  terminalLines,
  terminalOutput,
  type TerminalOutput,
  terminalText,
} from "./terminal-text.ts";
export { escapedText, unescaped } from "./text-escape.ts";
