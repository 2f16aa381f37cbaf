import { isoTime } from "../date.ts";
import { comparedProfilesJson } from "../profiles/compared-profiles-json.ts";
import type { Suspect, Why } from "../../../commands/verdicts/index.ts";
import { counted } from "../../../core/text/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { type Block, type Figure, comparedJson, percent, remarkOf, totalsText } from "../../../core/figures/index.ts";
import type { CostChange, ProfileDifference } from "../../../core/profiles/index.ts";
import type { Verdict } from "../../../core/verdicts/index.ts";

/** Limits of the text output. */
const limits = { functions: 5, files: 5, suspects: 10 };

/** The functions with the largest shares of the change, then the suspected commits. */
export function whyLines(why: Why): string[] {
  const functions = why.profiles.flatMap(({ configuration, differences }) =>
    differences.flatMap((difference) => {
      const rows = difference.rows.slice(0, limits.functions).map(functionLine);
      return rows.length === 0 ? [] : [`${configuration}, ${totalsText(difference)}${pooledText(difference)}`, ...rows];
    }),
  );
  const before = why.since.before === null ? "no earlier commit" : abbreviate(why.since.before);
  const noProfiles =
    why.profiles.length === 0 ? [`no comparable profiles of ${before} and ${abbreviate(why.since.after)}`] : [];
  return [...functions, ...noProfiles, ...suspectLines(why)];
}

/** Adds an explanation of each explained verdict below the figure. */
export function withWhy(figure: Figure, whys: ReadonlyMap<Verdict, Why>): Figure {
  const blocks = [...whys].flatMap(([{ outcome: word, subject }, why]): Block[] => {
    const head = `${subject.benchmark} ${subject.metric} is ${word} since ${abbreviate(why.since.after)}:`;
    return [{ kind: "text", text: [head, ...whyLines(why)].join("\n") }];
  });
  return { ...figure, blocks: [...figure.blocks, ...blocks] };
}

/** Smallest common change that is worth a remark. */
const leastCommon = 0.001;

/** `, means of 20 and 12 profiles; all functions changed by +1.2 %` */
function pooledText({ pooled }: ProfileDifference): string {
  if (pooled === undefined) return "";
  const { before, after, common } = pooled;
  const all =
    Math.abs(common) < leastCommon ? "" : `; all functions changed by ${percent(common)}, which is not scored`;
  return `, means of ${before} and ${counted(after, "profile")}${all}`;
}

function functionLine(row: CostChange): string {
  const { score } = row;
  const errors =
    score === undefined || !Number.isFinite(score) ? "" : `, ${Math.abs(score).toPrecision(2)} standard errors`;
  const [name, remark] = [row.file === null ? row.name : `${row.name} (${row.file})`, remarkOf(row)];
  return `  ${percent(row.share)} of the change${errors}: ${name}${remark === "" ? "" : `: ${remark}`}`;
}

function suspectLines({ suspects, omitted }: Why): string[] {
  const hidden = Math.max(0, suspects.length - limits.suspects) + omitted;
  return [
    `${counted(suspects.length + omitted, "commit")} may have caused it:`,
    ...suspects.slice(0, limits.suspects).flatMap(suspectLine),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ];
}

function suspectLine({ commit: version, subject, author, files, truncated: isCut, touched }: Suspect): string[] {
  const more = files.length - limits.files;
  const names = [...files.slice(0, limits.files), ...(more > 0 ? [`${more}${isCut ? " or more" : ""} others`] : [])];
  const functions = touched.slice(0, limits.files).map(({ name, share }) => `${name} ${percent(share)}`);
  return [
    `  ${abbreviate(version)} ${subject} (${author})`,
    `      changed ${names.length === 0 ? "no files" : names.join(", ")}`,
    ...(functions.length === 0 ? [] : [`      touches ${functions.join(", ")}`]),
  ];
}

/** The JSON form of an explanation, with profiles as in `perfkeep.diff/2`. */
export function whyJson({ profiles, suspects, ...why }: Why): object {
  return { ...why, suspects: suspects.map(suspectJson), profiles: profiles.map(comparedProfilesJson) };
}

/** The form in `perfkeep.changes/1`, whose keys are stable. */
export function changesWhyJson({ profiles, suspects, ...why }: Why): object {
  return {
    ...why,
    profiles: profiles.map(comparedJson),
    suspects: suspects
      .map(suspectJson)
      .map(({ commit, truncated, ...rest }) => ({ version: commit, ...rest, isCut: truncated })),
  };
}

function suspectJson({ date, ...suspect }: Suspect): Omit<Suspect, "date"> & { readonly date: string } {
  return { ...suspect, date: isoTime(date) };
}
