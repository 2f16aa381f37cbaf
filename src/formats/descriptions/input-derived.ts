import { readWords, type DescriptionLine } from "./description-words.ts";
import { parseExpression } from "./expression.ts";
import { readMaps, readUpdate } from "./input-content.ts";
import type { DerivedLocation, SplitStore } from "./input-description.ts";
import { checkedName, LocationWords } from "./input-words.ts";

const effectWords = ["store", "retrigger", "update"];
const mapWords = ["of", "map", "map_regexp"];

/**
 * `DERIVED name = expression` or `DERIVED name of=parameter map={in,out}`; what it does besides stands before the `=`. The line is not split
 * into words behind the `=`, because expressions have rules of their own.
 */
export function readDerived(line: DescriptionLine, keyword: string, column: number): DerivedLocation {
  const from = column - 1 + keyword.length;
  const head = /^\s+[^\s="]+(?:\s+[A-Za-z_]+=[A-Za-z]+)*\s*=\s*/.exec(line.text.slice(from))?.[0];
  const end = head === undefined ? undefined : from + head.lastIndexOf("=");
  const own = end === undefined ? line : { ...line, text: line.text.slice(0, end) };
  const allowed = [...effectWords, ...mapWords];
  const words = new LocationWords(line, keyword, column, readWords(own, from), allowed, ["map", "map_regexp"]);
  const columns = new Map<string, number>();
  const retrigger = words.choice("retrigger", ["yes", "no", "sticky", "auto"]) ?? "auto";
  return {
    kind: "derived",
    name: words.name(),
    from: head === undefined ? readMapped(words) : readComputed(words, from + head.length, columns),
    ...(words.flag("store") ? { storesSet: true } : {}),
    ...readUpdate(words),
    ...(retrigger === "auto" ? {} : { retrigger: retrigger === "sticky" ? "sticky" : retrigger === "yes" }),
    origin: columns.size === 0 ? words.origin : { ...words.origin, columns },
  };
}

/** `columns` is told where each variable stands first. */
function readComputed(words: LocationWords, from: number, columns: Map<string, number>): DerivedLocation["from"] {
  const [map] = words.all(...mapWords);
  if (map) throw words.error(map, `${map.key} and an expression exclude each other`);
  const term = parseExpression(words.line, from, (name, column) => columns.has(name) || columns.set(name, column));
  return { term };
}

function readMapped(words: LocationWords): DerivedLocation["from"] {
  const of = words.one("of");
  const maps = readMaps(words);
  if (of && maps.length > 0) return { parameter: checkedName(words.line, of), maps };
  throw words.error(words, "DERIVED needs an expression, as in DERIVED x = a / b, or of= and map=");
}

const stores = ["current", "enter", "leave", "max", "min", "diff", "sum"] as const;

/** `STORE name [what]` of a split location. */
export function readStore(words: LocationWords): SplitStore {
  const [name, what] = words.bareWords(2);
  if (!name) throw words.error(words, "STORE needs the name of a parameter or result");
  const store = what ? stores.find((each) => each === what.text.toLowerCase()) : "current";
  if (store) return { name: checkedName(words.line, name), store };
  const problem = `'${what?.text.slice(0, 80)}' is none of ${stores.join(", ")}`;
  throw words.error(what ?? words, problem, { word: what?.text ?? "", candidates: stores });
}
