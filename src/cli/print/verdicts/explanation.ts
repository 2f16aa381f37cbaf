import type { Suspect, Why } from "../../../commands/verdicts/explain-verdict.ts";
import { counted } from "../../../core/text/plural.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import type { Block, Figure } from "../../../core/figures/figure.ts";
import type { CostChange } from "../../../core/profiles/profile-difference.ts";
import type { Verdict } from "../../../core/verdicts/verdict.ts";
import { comparedJson, percent, remarkOf, totalsText } from "../../../core/figures/difference-figure.ts";

/** Rows, files and versions that people are shown. */
const shown = { functions: 5, files: 5, suspects: 10 };

/** The functions with the greatest share of the change, then the versions that may have made it. */
export function whyLines(why: Why): string[] {
  const functions = why.profiles.flatMap(({ configuration, differences }) =>
    differences.flatMap((difference) => {
      const rows = difference.rows.slice(0, shown.functions).map(functionLine);
      return rows.length === 0 ? [] : [`${configuration}, ${totalsText(difference)}`, ...rows];
    }),
  );
  const before = why.since.before === null ? "no version before" : abbreviate(why.since.before);
  const noProfiles =
    why.profiles.length === 0 ? [`no comparable profiles of ${before} and ${abbreviate(why.since.after)}`] : [];
  return [...functions, ...noProfiles, ...suspectLines(why)];
}

/** Beneath a figure of verdicts: for each that is explained a line that names it, then why. */
export function withWhy(figure: Figure, whys: ReadonlyMap<Verdict, Why>): Figure {
  const blocks = [...whys].flatMap(([{ word, subject }, why]): Block[] => {
    const head = `${subject.benchmark} ${subject.metric} is ${word} since ${abbreviate(why.since.after)}:`;
    return [{ kind: "text", text: [head, ...whyLines(why)].join("\n") }];
  });
  return { ...figure, blocks: [...figure.blocks, ...blocks] };
}

function functionLine(row: CostChange): string {
  const [place, remark] = [row.file === null ? row.name : `${row.name} (${row.file})`, remarkOf(row)];
  return `  ${percent(row.share)} of the change: ${place}${remark === "" ? "" : `: ${remark}`}`;
}

function suspectLines({ suspects, omitted }: Why): string[] {
  const hidden = Math.max(0, suspects.length - shown.suspects) + omitted;
  return [
    `${counted(suspects.length + omitted, "version")} may have made it:`,
    ...suspects.slice(0, shown.suspects).flatMap(suspectLine),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ];
}

function suspectLine({ version, subject, author, files, isCut, touched }: Suspect): string[] {
  const more = files.length - shown.files;
  const names = [...files.slice(0, shown.files), ...(more > 0 ? [`${more}${isCut ? " or more" : ""} others`] : [])];
  const functions = touched.slice(0, shown.files).map(({ name, share }) => `${name} ${percent(share)}`);
  return [
    `  ${abbreviate(version)} ${subject} (${author})`,
    `      changed ${names.length === 0 ? "no files" : names.join(", ")}`,
    ...(functions.length === 0 ? [] : [`      touches ${functions.join(", ")}`]),
  ];
}

/** As JSON has it. */
export function whyJson({ profiles, ...why }: Why): object {
  return { ...why, profiles: profiles.map(comparedJson) };
}
