import type { PointInTime, RunSelection, TimeRange } from "../../core/query-description.ts";
import type { Word } from "./description-words.ts";
import type { LocationWords } from "./input-words.ts";
import { filled, idAnd, text } from "./query-text-words.ts";
import { given } from "./query-xml-element.ts";

export function readRunLine(words: LocationWords): RunSelection {
  const [id = ""] = idAnd(words, []);
  const index = words.all("index").map((word) => filled(words, word));
  const commit = words.all("commit").map((word) => filled(words, word));
  return {
    id,
    ...given("mask", words.choice("mask", ["include", "exclude"] as const)),
    ...given("boolean", words.choice("boolean", ["and", "or"] as const)),
    ...given("index", index.length === 0 ? undefined : index),
    ...given("created", readRange(words, "created")),
    ...given("performed", readRange(words, "performed")),
    ...text(words, "label", "label"),
    ...given("commit", commit.length === 0 ? undefined : commit),
    ...text(words, "branch", "branch"),
    ...given("firstParent", words.flag("first_parent")),
    ...text(words, "since", "since"),
    ...text(words, "until", "until"),
    ...text(words, "synopsis", "synopsis"),
    ...text(words, "description", "description"),
  };
}

/** `created_from=`, `created_to=`; `created={}` is a range without ends. */
function readRange(words: LocationWords, key: string): TimeRange | undefined {
  const [open, from, to] = [words.one(key), words.one(`${key}_from`), words.one(`${key}_to`)];
  if (open && (open.list?.length !== 0 || from || to)) throw words.error(open, `write ${key}_from= and ${key}_to=`);
  if (!open && !from && !to) return undefined;
  return { ...given("from", from && readPoint(words, from)), ...given("to", to && readPoint(words, to)) };
}

/** `2026-01-31`, `2026-01-31T12:30`, `12:30`, or in parts `{31,Jan,2026,12:30}`. */
function readPoint(words: LocationWords, word: Word): PointInTime {
  if (word.list) return pointOf(words, word, word.list);
  const [, year = "", month = "", day = "", clock] = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](.+))?$/.exec(word.text) ?? [];
  if (year !== "") return { date: { day, month, year }, ...given("time", clock) };
  if (/^\d\d?:/.test(word.text)) return { time: word.text };
  throw words.error(word, `'${word.text.slice(0, 40)}' is no time`, {
    advice: "write 2026-01-31, 2026-01-31T12:30 or {31,Jan,2026,12:30}",
  });
}

function pointOf(words: LocationWords, word: Word, parts: readonly string[]): PointInTime {
  const [day, month, year, clock] = parts;
  if (parts.length < 2) return given("time", day);
  if (day === undefined || month === undefined || year === undefined || parts.length > 4)
    throw words.error(word, "a time has the parts {day,month,year,clock}, {day,month,year} or {clock}");
  return { date: { day, month, year }, ...given("time", clock) };
}
