import { InvalidValue } from "./invalid-value.ts";

/** Hours east of UTC of abbreviations with one meaning; those of North America as in RFC 5322. */
const hours = [
  "Z 0 UTC 0 GMT 0 UT 0 WET 0 WEST 1 CET 1 CEST 2 MEZ 1 MESZ 2 MET 1 MEST 2 EET 2 EEST 3 MSK 3 SAST 2 CAT 2",
  "EAT 3 WAT 1 PKT 5 NPT 5.75 ICT 7 WIB 7 WITA 8 WIT 9 SGT 8 HKT 8 JST 9 KST 9 AWST 8 ACST 9.5 ACDT 10.5",
  "AEST 10 AEDT 11 ChST 10 NZST 12 NZDT 13 NST -3.5 NDT -2.5 BRT -3 ART -3 ADT -3 EST -5 EDT -4 CDT -5 MST -7",
  "MDT -6 PST -8 PDT -7 AKST -9 AKDT -8 HST -10 HDT -9",
];

/** Minutes east of UTC by abbreviation. */
const offsets = new Map(
  Array.from(hours.join(" ").matchAll(/(\S+) (\S+)/g), ([, name = "", hour]) => [name, Number(hour) * 60] as const),
);

/** Abbreviations that several regions use. */
const ambiguous: Readonly<Record<string, string>> = {
  CST: "China or North America",
  IST: "India, Ireland or Israel",
  BST: "Britain or Bangladesh",
  AST: "the Atlantic coast or Arabia",
  SST: "Samoa or Singapore",
  AMT: "Armenia or the Amazon",
  GST: "the Gulf or South Georgia",
};

/** Upper case words of this form after a time are unknown zones, except for these words. */
const zoneForm = /^[A-Z]{1,3}[SD]T$/;
const plainWords = ["POST", "HOST", "TEST", "LIST", "LAST", "BEST", "FAST", "COST", "MOST", "DIST", "COUNT"];
/** Lower case words that are no zones. */
const englishWords = ["met", "est", "art", "cat", "eat", "wat", "wet", "wit", "west", "z", "ut", "mest"];

const numeric = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/;
/** At the beginning of a text: `Z`, `UTC`, `CEST`, `+02:00`, `+0200`, `UTC+2`. */
const zoneStart = new RegExp(
  "^(?:(?:UTC|GMT)[+-]\\d{1,2}(?::\\d{2})?(?!\\d)|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2}(?!\\d)|[+-]\\d{2}(?!\\d)|" +
    "[A-Za-z]{1,5}(?![\\w/]))",
);

/**
 * Minutes east of UTC of a zone: an offset or an abbreviation. undefined: it is no zone. Abbreviations that several
 * regions use, and unknown ones, are invalid.
 */
export function readZone(text: string): number | InvalidValue | undefined {
  const match = numeric.exec(text);
  if (match) return offsetOf(match[1] === "-" ? -1 : 1, Number(match[2]), Number(match[3] ?? 0));
  const name = text === text.toLowerCase() && !englishWords.includes(text) ? text.toUpperCase() : text;
  const offset = offsets.get(name);
  if (offset !== undefined) return offset;
  if (Object.hasOwn(ambiguous, name))
    return new InvalidValue(`the zone ${name} is ambiguous (${ambiguous[name]}); give format= and zone=`);
  if (!zoneForm.test(text) || plainWords.includes(text)) return undefined;
  return new InvalidValue(`the zone ${text} is unknown; give format= and zone=`);
}

function offsetOf(sign: number, hours: number, minutes: number): number | InvalidValue {
  const sum = hours * 60 + minutes;
  return sum > 18 * 60 || minutes > 59 ? new InvalidValue("its zone is out of range") : sign * sum + 0;
}

/** The text of the zone at the beginning of `text`; undefined without one. */
export function zoneTextAt(text: string): string | undefined {
  const word = zoneStart.exec(text)?.[0];
  return word !== undefined && readZone(word) !== undefined ? word : undefined;
}
