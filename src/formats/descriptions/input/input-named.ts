import {
  cutWords,
  effectWords,
  namedProblem,
  readCut,
  readEffects,
  readSetEffects,
  repeatableWords,
} from "./input-content.ts";
import type { BlockMark, FilenameLocation, Match, NamedLocation, Separation, Trigger } from "./input-description.ts";
import { checkedName, type LocationWords, type WordGroup } from "./input-words.ts";

const markWords = [
  "alias",
  "regexp",
  "match",
  "terminator",
  "trigger",
  "trigger_regexp",
  "trigger_skip",
  "begin",
  "begin_regexp",
  "begin_skip",
  "end",
  "end_regexp",
];
export const namedWords = [...markWords, "lines", "content", "mode", ...cutWords, ...effectWords];
export const namedRepeatable = [...markWords, ...repeatableWords];
export const separationWords = ["string", "param", "skip", ...namedWords];
export const filenameWords = ["match", "terminator", "fuzzy", "regexp", "mode", ...cutWords];
export const filenameRepeatable = ["match", "terminator", "fuzzy", "regexp", ...repeatableWords];

export function readNamed(words: LocationWords): NamedLocation {
  return checked(words, {
    ...marked(words, words.name()),
    ...readCut(words),
    ...readEffects(words),
    ...readMode(words),
    origin: words.origin,
  });
}

function checked(words: LocationWords, location: NamedLocation): NamedLocation {
  const problem = namedProblem(location);
  if (problem !== undefined) throw words.error(words, problem);
  return location;
}

function marked(words: LocationWords, name: string): Omit<NamedLocation, "origin"> {
  const matches = words.groups(["match"], ["terminator"]).map((group) => readMatch(words, group));
  const triggers = words
    .groups(["trigger", "trigger_regexp"], ["trigger_skip"])
    .map((group) => readTrigger(words, group));
  const lines = words.number("lines");
  return {
    kind: "named",
    name,
    aliases: words.all("alias").map((word) => words.filled(word)),
    patterns: words.all("regexp").map((word) => words.pattern(word)),
    ...(matches.length > 0 ? { matches } : {}),
    ...(triggers.length > 0 ? { triggers } : {}),
    ...readBlock(words),
    ...(lines === undefined ? {} : { lines }),
    ...(words.choice("content", ["leads", "follows"]) === "leads" ? { leads: true } : {}),
  };
}

function readMatch(words: LocationWords, { first, more }: WordGroup): Match {
  const terminator = more.get("terminator");
  return { text: words.filled(first), ...(terminator ? { terminator: words.filled(terminator) } : {}) };
}

function readTrigger(words: LocationWords, { first, more }: WordGroup): Trigger {
  const skip = more.get("trigger_skip");
  return { mark: words.mark(first), skip: skip ? words.wholeNumber(skip, -1_000_000) : 0 };
}

function readBlock(words: LocationWords): Pick<NamedLocation, "block"> {
  const begin = words.groups(["begin", "begin_regexp"], ["begin_skip"]).map(({ first, more }): BlockMark => {
    const skip = more.get("begin_skip");
    return { mark: words.mark(first), skip: skip ? words.wholeNumber(skip) : 0 };
  });
  const end = words.all("end", "end_regexp").map((word): BlockMark => ({ mark: words.mark(word), skip: 0 }));
  if (begin.length === 0 && end.length === 0) return {};
  if (begin.length > 0 && end.length > 0) return { block: { begin, end } };
  throw words.error(words, `${begin.length > 0 ? "begin" : "end"} needs ${begin.length > 0 ? "end" : "begin"}=`);
}

function readMode(words: LocationWords): Pick<NamedLocation, "mode"> {
  const mode = words.choice("mode", ["assign", "count", "boolean", "accumulate", "abort"]) ?? "assign";
  return mode === "assign" ? {} : { mode };
}

/** `SEP string=`, `SEP regexp=` or `SEP param=` with what NAMED takes. */
export function readSeparation(words: LocationWords): Separation {
  const [extra] = words.bareWords(1);
  if (extra) throw words.error(extra, `SEP needs string=, regexp= or param= before '${extra.text.slice(0, 80)}'`);
  const [mark, second] = words.all("string", "param", ...(words.one("param") ? [] : ["regexp"]));
  if (!mark || second) throw words.error(words, "SEP needs one of string=, regexp= and param=");
  const skip = words.number("skip");
  return {
    kind: "separation",
    mark: mark.key === "param" ? namedMark(words, checkedName(words.line, mark)) : plainMark(words, mark),
    run: words.flag("run") ?? false,
    ...(skip ? { skip } : {}),
    origin: words.origin,
  };
}

function namedMark(words: LocationWords, name: string): NamedLocation {
  return checked(words, {
    ...marked(words, name),
    ...readCut(words),
    ...readSetEffects(words),
    ...readMode(words),
    origin: words.origin,
  });
}

function plainMark(words: LocationWords, mark: Parameters<LocationWords["mark"]>[0]): Separation["mark"] {
  const own = ["string", "regexp", "run", "skip"];
  const [stray] = words.all(...separationWords.filter((key) => !own.includes(key)));
  if (stray) throw words.error(stray, `${stray.key} needs param=`);
  return words.mark(mark);
}

export function readFilename(words: LocationWords): FilenameLocation {
  const matches = words.groups(["match"], ["terminator", "fuzzy"]).map((group) => ({
    ...readMatch(words, group),
    ...(isYes(words, group.more.get("fuzzy")) ? ({ fuzzy: true } as const) : {}),
  }));
  return {
    kind: "filename",
    name: words.name(),
    matches,
    patterns: words.all("regexp").map((word) => words.pattern(word)),
    ...readCut(words),
    ...(words.choice("mode", ["assign", "boolean"]) === "boolean" ? { mode: "boolean" } : {}),
    origin: words.origin,
  };
}

function isYes(words: LocationWords, word: WordGroup["first"] | undefined): boolean {
  if (!word || /^(?:yes|no)$/i.test(word.text)) return word?.text.toLowerCase() === "yes";
  throw words.error(word, `${word.key} '${word.text.slice(0, 80)}' is neither yes nor no`);
}
