import type { ProfileCheck, VersionCheck } from "../../../commands/verdicts/index.ts";
import { configurationText, parsedUnit } from "../../../core/profiles/index.ts";
import {
  isDegradation,
  isOptimization,
  isUndecided,
  percentText,
  type Change,
  type ChangeResult,
} from "../../../core/verdicts/index.ts";
import { digitsText, scaledText } from "../../../core/values/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import type { Medium } from "../medium.ts";
import type { Paint } from "../paint.ts";
import { perunChangeLine, perunResult, perunSummary } from "./perun-changes.ts";

/** Changes by location, one line each; `compat` perun: in Perun's words. */
export function changeLines(changes: readonly Change[], paint: Paint, compat?: string): string[] {
  const locations = [...new Set(changes.map((change) => change.location))].sort();
  const line = compat === "perun" ? perunChangeLine : changeLine;
  return locations.flatMap((location) => [
    `at ${terminalText(location)}:`,
    ...changes
      .filter((change) => change.location === location)
      .flatMap((change) => [
        `└ ${line(change, paint)}`,
        ...evidenceLines(change),
        ...intervalLines(change, paint, compat),
      ]),
  ]);
}

/** `worse: time 0.12 s → 0.63 s, 5.28x (r_square = 0.5), of ./sort big`. */
function changeLine(change: Change, paint: Paint): string {
  const { type, rate: sure } = change.confidence;
  const confidence = type === "no" || hasInterval(change) ? "" : ` (${type} = ${sure})`;
  const of = change.command === undefined ? "" : `, of ${terminalText(change.command)}`;
  const name = change.metric ?? change.type;
  const what = name === "-" ? "" : `${terminalText(name)} `;
  const levels = `${what}${level(change.from)} → ${level(change.to)}`;
  return `${resultWords(change.result, paint)}: ${levels}, ${rate(change)}${confidence}${of}`;
}

/** `0.12s` in a readable unit, `120 ms`. */
function level(amount: string): string {
  const [, number, unit] = /^([-+.\d]+(?:e[-+]?\d+)?)([^-+.\d\s].*)$/.exec(amount) ?? [];
  if (number === undefined || unit === undefined) return terminalText(amount);
  const known = parsedUnit(unit);
  return known === undefined ? terminalText(`${number} ${unit}`) : scaledText(Number(number), known);
}

/** Outcomes, with Perun's degree where it has one. */
const outcomes: Readonly<Record<ChangeResult, string>> = {
  NotInBaseline: "new",
  TotalDegradation: "worse (total)",
  SevereDegradation: "worse (severe)",
  Degradation: "worse",
  MaybeDegradation: "worse (maybe)",
  NoChange: "same",
  MaybeOptimization: "better (maybe)",
  Optimization: "better",
  SevereOptimization: "better (severe)",
  TotalOptimization: "better (total)",
  NotInTarget: "gone",
  Unknown: "inconclusive",
};

function resultWords(result: ChangeResult, paint: Paint): string {
  const words = outcomes[result];
  return isDegradation({ result }) ? paint.bad(words) : isOptimization({ result }) ? paint.good(words) : words;
}

/** `1 worse, 2 better`, with all degrees; `no change`. */
export function changesSummary(changes: readonly Change[], paint: Paint): string {
  const [worse, better] = [changes.filter(isDegradation).length, changes.filter(isOptimization).length];
  const other = changes.filter(({ result }) => result === "NotInBaseline" || result === "NotInTarget").length;
  const parts = [
    worse > 0 ? paint.bad(`${worse} worse`) : "",
    better > 0 ? paint.good(`${better} better`) : "",
    other > 0 ? `${other} new or gone` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "no change" : parts.join(", ");
}

function hasInterval({ evidence }: Change): boolean {
  return evidence !== undefined && !Number.isNaN(evidence.delta) && !Number.isNaN(evidence.q);
}

/** The interval of a change and what it rests on, and the limits of a result. */
function evidenceLines(change: Change): string[] {
  const { evidence, note } = change;
  // The line above has the outcome.
  const noted = note === undefined ? [] : [`  └ ${note.replace(/^inconclusive: /, "")}`];
  if (evidence === undefined || !hasInterval(change)) return noted;
  const { delta, deltaLow, deltaHigh, confidence, q, values, history, isPaired } = evidence;
  if (confidence === 1) return [`  └ ${percentText(delta)}, exact: the counts repeat`, ...noted];
  const interval = `${confidence * 100} % interval ${percentText(deltaLow)} … ${percentText(deltaHigh)}`;
  const known = `q ${q < 0.001 ? "< 0.001" : `= ${q.toFixed(3)}`}, n = ${values.join("+")}`;
  const noise = isPaired
    ? "median of the ratios round by round, not the ratio of the medians"
    : history < 3
      ? "noise between profiles assumed"
      : `noise from ${history} earlier profiles`;
  return [`  └ ${percentText(delta)}, ${interval} (${known}, ${noise})`, ...noted];
}

/** Maximum number of inconclusive locations shown. */
const mostUndecided = 10;

/** What to show of a check: changes found, those below a limit, the first inconclusive ones, a line for the rest. */
function shownChanges(changes: readonly Change[]): { readonly shown: Change[]; readonly hidden: string[] } {
  const found = changes.filter((change) => (change.result !== "NoChange" || change.note) && !isUndecided(change));
  // Those that could not be estimated at all come last.
  const estimated = ({ evidence }: Change): number => (Number.isNaN(evidence?.q) ? 0 : 1);
  const undecided = changes.filter(isUndecided).toSorted((a, b) => estimated(b) - estimated(a));
  const shown = undecided.slice(0, mostUndecided);
  const rest = undecided.length - shown.length;
  return {
    shown: [...found, ...shown],
    hidden: rest === 0 ? [] : [`and ${rest} more inconclusive ${rest === 1 ? "location" : "locations"}`],
  };
}

/** `1 worse, 1 of 7 inconclusive`; `unchanged` if nothing changed, is below a limit or is inconclusive. */
export function checkSummary(changes: readonly Change[], paint: Paint, unchanged: string, compat?: string): string {
  const undecided = changes.filter(isUndecided).length;
  const found = changes.filter((change) => change.result !== "NoChange" && !isUndecided(change));
  const isBelow = changes.some(({ result, note }) => result === "NoChange" && note !== undefined);
  if (undecided === changes.length && undecided > 0) return `inconclusive (${undecided} compared)`;
  const rest = undecided === 0 ? "" : `, ${undecided} of ${changes.length} inconclusive`;
  const summary = compat === "perun" ? perunSummary : changesSummary;
  if (found.length > 0) return `${summary(found, paint)}${rest}`;
  if (isBelow) return `no change beyond the limits of ${changes.length} compared${rest}`;
  return undecided === 0 ? unchanged : `no change of ${changes.length - undecided}${rest}`;
}

/** The intervals of x that changed, if there are several. */
function intervalLines({ intervals = [] }: Change, paint: Paint, compat?: string): string[] {
  const words = compat === "perun" ? perunResult : resultWords;
  const changed = intervals.filter((interval) => interval.result !== "NoChange");
  const shown = intervals.length > 1 ? changed.slice(0, maxIntervals) : [];
  const rest = changed.length - shown.length;
  const lines = shown.map(
    (each) => `${range(each)}: ${rate({ rate: each.rate, relativeRate: 0, to: "" })} ${words(each.result, paint)}`,
  );
  return shown.length > 0 && rest > 0 ? [...lines, `  └ and ${rest} more intervals`] : lines;
}

function range({ from, to }: { readonly from: number; readonly to: number }): string {
  return `  └ from ${digitsText(from)} to ${digitsText(to)}`;
}

const maxIntervals = 10;

/** Two decimals, or three significant digits of small values. */
function rate({ rate: times, relativeRate, to }: Pick<Change, "rate" | "relativeRate" | "to">): string {
  if (relativeRate !== 0) return `${times.toFixed(2)}${terminalText(unitOf(to))} (${relativeRate.toFixed(2)}%)`;
  return `${Math.abs(times) < 0.1 ? Number(times.toPrecision(3)) : Math.round(times * 100) / 100}x`;
}

/** The unit after the number; changes stored by Perun have none and are in ms. */
function unitOf(amount: string): string {
  return /(?<=\d)[^\d\s.+-].*$/.exec(amount)?.[0].replace(/^e[+-]?\d+/, "") || "ms";
}

type Whys = ReadonlyMap<ProfileCheck, { readonly json: object; readonly lines: readonly string[] }>;

/** Explanations of changes, and the program whose words are used. */
export interface ReportWords {
  readonly whys: Whys;
  readonly compat: string | undefined;
}

export function machineNotes({
  otherMachine,
  unknownMachine,
}: Pick<ProfileCheck, "otherMachine" | "unknownMachine">): string[] {
  return [
    ...(otherMachine ? ["note: the two profiles were measured on different machines"] : []),
    ...(unknownMachine ? ["note: the machine of one of the two profiles is unknown"] : []),
  ];
}

/** What a check found at a commit. */
export function versionText({ version, checks }: VersionCheck, medium: Medium, { whys, compat }: ReportWords): string {
  const subject = medium.shown(version.description.split("\n", 1)[0] ?? "");
  const lines = checks.flatMap((one) => [
    ...profileLines(one, medium, compat),
    ...whyTexts(whys.get(one)?.lines, medium),
  ]);
  const head = `Commit ${medium.version(abbreviate(version.id), version.id)} ${subject}`;
  return `${[medium.paint.strong(head), ...(lines.length > 0 ? lines : ["  no profiles"]), ""].join("\n")}\n`;
}

function profileLines(one: ProfileCheck, medium: Medium, compat: string | undefined): string[] {
  const { paint, shown: textOf, drawn, version } = medium;
  const { profile, baseline, changes, incomparable } = one;
  const of = textOf(configurationText(profile));
  if (!baseline) return [`  ${of}: no baseline`];
  const against = `${of} against ${version(abbreviate(baseline.version), baseline.version)}`;
  if (incomparable !== undefined) {
    const [name, other] = [profile, baseline.profile].map((one) => textOf(one.name));
    return [`  ${against}: ${name} cannot be compared with ${other}: ${textOf(incomparable)}`];
  }
  const { shown, hidden } = shownChanges(changes);
  const verdict = checkSummary(changes, paint, noChange(changes.length), compat);
  const lines = [`${against}: ${verdict}`, ...machineNotes(one), ...changeLines(shown, paint, compat).map(drawn)];
  return [...lines, ...hidden].map((line) => `  ${line}`);
}

export function noChange(compared: number): string {
  return `no change of ${compared} compared`;
}

function whyTexts(lines: readonly string[] | undefined, { shown }: Medium): string[] {
  return lines === undefined ? [] : ["why:", ...lines].map((line) => `    ${shown(line)}`);
}
