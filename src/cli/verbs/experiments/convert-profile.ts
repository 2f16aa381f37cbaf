import {
  convertProfile,
  profileParts,
  tableAsParquet,
  type ConvertProfileOptions,
  type ProfilePart,
} from "../../../commands/profiles/convert-profile.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { jsonRow } from "../../../core/figures/table-figure.ts";
import type { Table } from "../../../core/tables/table.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { answerFormats, printAnswer } from "../../print/experiments/answer.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec } from "../../verb.ts";
import { minorOption, words } from "../options.ts";

export const profileFormats: readonly string[] = [...answerFormats, "parquet"];

/** Options of profiles, each with the parts that it says something of. */
const partsOf: readonly (readonly [option: OptionSpec, parts: readonly ProfilePart[]])[] = [
  [minorOption, profileParts],
  [
    { flags: "-w, --where <condition>", synopsis: "only rows (models) that fit; several must all hold", repeat: true },
    profileParts,
  ],
  [
    { flags: "--columns <names>", synopsis: "resources, models: these columns (default: all)", repeat: true },
    ["resources", "models"],
  ],
  [
    { flags: "--of <key>", synopsis: "values, points, stacks: this column (default: amount)" },
    ["values", "points", "stacks"],
  ],
  [
    {
      flags: "--per <key>",
      synopsis: "points: for each content of this column (default: snapshot, order or the like)",
    },
    ["points"],
  ],
  [{ flags: "--by <key>", synopsis: "points: and for each of this one" }, ["points"]],
  [
    { flags: "--stat <word>", synopsis: "points: sum (default), mean, median, min, max, count, distinct, …" },
    ["points"],
  ],
  [
    {
      flags: "--subtype <name>",
      synopsis: "points, stacks: only these rows, where there are several that do not add up",
    },
    ["points", "stacks"],
  ],
  [{ flags: "--compat <program>", synopsis: "stacks: as that program writes them", choices: ["perun"] }, ["stacks"]],
];

export const profileOptions: readonly OptionSpec[] = partsOf.map(([option]) => option);

/** Prints a part of a profile. */
export async function convertProfileTo(session: Session, args: Arguments, word: string): Promise<number> {
  const part = profileParts.find((each) => each === word);
  if (part === undefined)
    throw new Failure("unknown-choice", { kind: "part of a profile", value: word, choices: profileParts });
  refuseStray(args, (_, parts) => !parts.includes(part), `says nothing of ${part}`);
  const table = await convertProfile(session.workspace, { ...optionsOf(args, part), confirm: confirmOf(session) });
  if (session.format === "parquet") await printParquet(session, table);
  else if (session.format === "text" && part === "stacks") printFolded(session, table);
  else await printAnswer(session, table, { schema: "perfkeep.profile-table/1", part, columns: columnsOf(table) }, part);
  return exitStatus.fine;
}

/** Fails with `bad-usage` for options of profiles where a description is converted. */
export function refuseProfileOptions(args: Arguments): void {
  refuseStray(args, () => true, `needs a part of a profile: ${profileParts.join(", ")}`);
}

function refuseStray(
  args: Arguments,
  isStray: (option: OptionSpec, parts: readonly ProfilePart[]) => boolean,
  why: string,
): void {
  const found = partsOf.find(([option, parts]) => isStray(option, parts) && args.texts(nameOf(option)).length > 0);
  if (found) throw new Failure("bad-usage", { reason: `--${nameOf(found[0])} ${why}`, command: "perfkeep convert" });
}

function nameOf({ flags }: OptionSpec): string {
  return /--([a-z]+)/.exec(flags)?.[1] ?? "";
}

function optionsOf(args: Arguments, part: ProfilePart): ConvertProfileOptions {
  const texts = {
    minor: "minor",
    of: "of",
    per: "per",
    by: "by",
    statistic: "stat",
    subtype: "subtype",
    compat: "compat",
  };
  const given = Object.entries(texts).map(([name, option]) => [name, args.text(option)] as const);
  return {
    profile: args.operand(0),
    part,
    confirm: null,
    where: args.texts("where"),
    columns: words(args, "columns"),
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
  };
}

function columnsOf({ variables }: Table): object[] {
  return variables.map(({ name, type, unit }) => ({ name, type, unit: formatUnit(unit) }));
}

/** One line a stack, as programs that draw flame graphs read it. */
function printFolded({ output }: Session, table: Table): void {
  for (let row = 0; row < table.length; row++) {
    const [stack, amount] = jsonRow(table, row);
    output.data(`${output.toTerminal ? terminalText(String(stack)) : stack} ${amount}\n`);
  }
}

async function printParquet({ output, workspace }: Session, table: Table): Promise<void> {
  if (output.toTerminal)
    throw new Failure("unusable-combination", {
      what: "Parquet is nothing to read on a terminal",
      instead: "give -o FILE.parquet",
    });
  await tableAsParquet(workspace, table, (bytes) => output.data(bytes));
}
