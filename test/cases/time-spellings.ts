import fc from "fast-check";

const months = ["January", "February", "March", "April", "May", "June", "July"].concat([
  "August",
  "September",
  "October",
  "November",
  "December",
]);
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const two = (value: number): string => String(value).padStart(2, "0");

/** The fields of an instant for spellings, by the platform's calendar. */
export function fieldsOf(milliseconds: number) {
  const date = new Date(milliseconds);
  const hour = date.getUTCHours();
  return {
    Y: String(date.getUTCFullYear()).padStart(4, "0"),
    m: two(date.getUTCMonth() + 1),
    d: two(date.getUTCDate()),
    e: String(date.getUTCDate()),
    B: months[date.getUTCMonth()] ?? "",
    b: (months[date.getUTCMonth()] ?? "").slice(0, 3),
    A: weekdays[date.getUTCDay()] ?? "",
    a: (weekdays[date.getUTCDay()] ?? "").slice(0, 3),
    T: `${two(hour)}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`,
    I: `${two(hour % 12 || 12)}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`,
    p: hour < 12 ? "AM" : "PM",
    f: String(date.getUTCMilliseconds()).padStart(3, "0"),
    s: Math.floor(milliseconds / 1000),
  };
}
export type Fields = ReturnType<typeof fieldsOf>;

/** Spellings of timestamps by programs; `zone`: minutes east of UTC that the text states. */
export const timeSpellings: readonly { readonly print: (t: Fields) => string; readonly zone?: number; readonly exact?: true }[] = [
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T}` },
  { print: (t) => `${t.Y}-${t.m}-${t.d}T${t.T}Z` },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T}.${t.f}`, exact: true },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T},${t.f}`, exact: true },
  { print: (t) => `${t.Y}-${t.m}-${t.d}T${t.T}.${t.f}+02:00`, zone: 120, exact: true },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T} -0530`, zone: -330 },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T}+01`, zone: 60 },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T} CEST`, zone: 120 },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T} UTC` },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T} GMT+3`, zone: 180 },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.T} +0200 CEST`, zone: 120 },
  { print: (t) => `${t.Y}-${t.m}-${t.d} ${t.I} ${t.p}` },
  { print: (t) => `${t.Y}-${t.m}-${t.d}_${t.T}` },
  { print: (t) => `${t.Y}-${t.m}-${t.d}-${t.T}` },
  { print: (t) => `${t.Y}/${t.m}/${t.d} ${t.T}` },
  { print: (t) => `${t.Y}.${t.m}.${t.d} ${t.T}` },
  { print: (t) => `${t.Y}${t.m}${t.d}T${t.T.replaceAll(":", "")}Z` },
  { print: (t) => `${t.Y}-${t.b}-${t.d} ${t.T}` },
  { print: (t) => `${t.d}.${t.m}.${t.Y} ${t.T}` },
  { print: (t) => `${t.e} ${t.b} ${t.Y} ${t.T}` },
  { print: (t) => `${t.d}-${t.b}-${t.Y} ${t.T}` },
  { print: (t) => `${t.d}/${t.b}/${t.Y}:${t.T} +0000` },
  { print: (t) => `${t.B} ${t.e}, ${t.Y} ${t.T}` },
  { print: (t) => `${t.b} ${t.e} ${t.Y} at ${t.I} ${t.p.toLowerCase()}` },
  { print: (t) => `${t.A}, ${t.e} ${t.B} ${t.Y}, ${t.T}` },
  { print: (t) => `${t.a}, ${t.d} ${t.b} ${t.Y} ${t.T} GMT` },
  { print: (t) => `${t.a} ${t.b} ${t.e.padStart(2)} ${t.T} ${t.Y}` },
  { print: (t) => `${t.a} ${t.b} ${t.e.padStart(2)} ${t.T} UTC ${t.Y}` },
  { print: (t) => `${t.a} ${t.b} ${t.e.padStart(2)} ${t.I} ${t.p} PDT ${t.Y}`, zone: -420 },
  { print: (t) => `${t.a} ${t.e.padStart(2)} ${t.b} ${t.Y} ${t.I} ${t.p} CET`, zone: 60 },
  { print: (t) => `${t.a} ${t.b} ${t.d} ${t.Y} ${t.T} GMT+0200 (Central European Summer Time)`, zone: 120 },
  { print: (t) => `${t.T} ${t.Y}-${t.m}-${t.d}` },
  { print: (t) => `@${t.s}` },
];

/** Milliseconds since 1970. */
export const instants = fc.integer({ min: Date.UTC(1700, 0, 1), max: Date.UTC(2250, 0, 1) });
