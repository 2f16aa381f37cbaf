/** Deeper documents are not completed. */
const deepest = 64;

/**
 * The value of a JSON text that may be cut off anywhere: the last incomplete value is dropped, and open objects and
 * lists are closed. NaN and infinities are null. undefined for other texts.
 */
export function readTruncatedJson(text: string): unknown {
  const begin = text.trimStart();
  if (!begin.startsWith("{") && !begin.startsWith("[")) return undefined;
  return parsed(text) ?? parsed(closed(text)) ?? (/NaN|Infinity/.test(text) ? parsed(closed(finite(text))) : undefined);
}

/** The text with null instead of the numbers that only Python writes. */
function finite(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|-?(?:NaN|Infinity)/gs, (token) =>
    token.startsWith('"') ? token : "null",
  );
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The text up to the last complete value or opening bracket, with closing brackets; empty if more follows. */
function closed(text: string): string {
  const open: string[] = [];
  let [end, closing] = [0, ""];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},]/gs)) {
    if (token === "[" || token === "{") open.push(token === "[" ? "]" : "}");
    else if (token === "]" || token === "}") open.pop();
    else if (token !== ",") continue;
    if (open.length > deepest || (open.length === 0 && text.slice(index + 1).trim() !== "")) return "";
    [end, closing] = [token === "," ? index : index + 1, open.toReversed().join("")];
  }
  return text.slice(0, end) + closing;
}
