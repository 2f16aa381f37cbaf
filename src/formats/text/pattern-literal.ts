/**
 * The longest run of plain characters that every match of an RE2 pattern contains; "" when none is certain.
 * Conservative: alternatives at the top and flags give nothing, groups and classes are passed over, repeated characters do not count.
 */
export function requiredLiteral(source: string): string {
  let [best, run] = ["", ""];
  const close = (): void => {
    if (run.length > best.length) best = run;
    run = "";
  };
  for (let at = 0; at < source.length;) {
    const step = nextPart(source, at);
    if (step.kind === "unknown") return "";
    const optional = "?*{".includes(source.charAt(step.end) || "!");
    if (step.kind === "literal" && !optional) run += step.text;
    if (step.kind !== "literal" || optional || source.charAt(step.end) === "+") close();
    at = afterRepetition(source, step.end);
  }
  close();
  return best;
}

interface Part {
  readonly kind: "literal" | "other" | "unknown";
  readonly text: string;
  readonly end: number;
}

function nextPart(source: string, at: number): Part {
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const end = at + character.length;
  if (character === "|" || character === ")") return { kind: "unknown", text: "", end };
  if (character === "\\") return escapePart(source, at);
  if (character === "[") return { kind: "other", text: "", end: classEnd(source, at) };
  if (character === "(") return groupPart(source, at);
  if (".^$".includes(character)) return { kind: "other", text: "", end };
  return { kind: "literal", text: character, end };
}

/** A backslash before punctuation means the character; before letters and digits it may mean anything, of any length. */
function escapePart(source: string, at: number): Part {
  const next = source.charAt(at + 1);
  if (/[dDwWsSbB]/.test(next)) return { kind: "other", text: "", end: at + 2 };
  if (next === "" || /[\p{L}\p{N}]/u.test(next)) return { kind: "unknown", text: "", end: at + 2 };
  return { kind: "literal", text: next, end: at + 2 };
}

function groupPart(source: string, at: number): Part {
  if (source.charAt(at + 1) === "?") return { kind: "unknown", text: "", end: at + 1 };
  let depth = 0;
  for (let i = at; i < source.length; i++) {
    const character = source.charAt(i);
    if (character === "\\") i += 1;
    else if (character === "[") i = classEnd(source, i) - 1;
    else if (character === "(") depth += 1;
    else if (character === ")" && --depth === 0)
      return /\\Q|\(\?/.test(source.slice(at, i))
        ? { kind: "unknown", text: "", end: i + 1 }
        : { kind: "other", text: "", end: i + 1 };
  }
  return { kind: "unknown", text: "", end: source.length };
}

/** Behind the `]` that closes the class at `at`; one that stands first is a member. */
function classEnd(source: string, at: number): number {
  let i = at + 1;
  if (source.charAt(i) === "^") i += 1;
  if (source.charAt(i) === "]") i += 1;
  for (; i < source.length && source.charAt(i) !== "]"; i++) {
    if (source.charAt(i) === "\\") i += 1;
    else if (source.startsWith("[:", i)) i = Math.max(i, source.indexOf(":]", i) + 1);
  }
  return i + 1;
}

function afterRepetition(source: string, at: number): number {
  const match = /^(?:[?*+]|\{[^}]*\})+/.exec(source.slice(at));
  return at + (match?.[0].length ?? 0);
}
