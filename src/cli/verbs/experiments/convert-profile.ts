import {
  convertProfile,
  profileParts,
  tableAsParquet,
  type ConvertProfileOptions,
  type ProfilePart,
} from "../../../commands/profiles/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { jsonRow } from "../../../core/figures/index.ts";
import type { Table } from "../../../core/tables/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { rowFormats, printRows } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec } from "../../verb.ts";
import { minorOption, namesOf } from "../options.ts";

export const profileFormats: readonly string[] = [...rowFormats, "parquet"];

/** Options of profiles, each with the parts that it applies to. */
const partsOf: readonly (readonly [option: OptionSpec, parts: readonly ProfilePart[]])[] = [
  [minorOption, profileParts],
  [
    {
      flags: "-w, --where <condition>",
      synopsis: "only rows (models) that match; several conditions are combined with `and`",
      repeat: true,
    },
    profileParts,
  ],
  [
    { flags: "--columns <names>", synopsis: "resources, models: columns to write (default: all)", repeat: true },
    ["resources", "models"],
  ],
  [
    { flags: "--of <key>", synopsis: "values, points, stacks: column to write (default: amount)" },
    ["values", "points", "stacks"],
  ],
  [
    {
      flags: "--per <key>",
      synopsis: "points: column to group by (default: snapshot, order or a similar one)",
    },
    ["points"],
  ],
  [{ flags: "--by <key>", synopsis: "points: second column to group by" }, ["points"]],
  [
    {
      flags: "--stat <word>",
      synopsis: "points: statistic: sum (default), mean, median, min, max, count, distinct, …",
    },
    ["points"],
  ],
  [
    {
      flags: "--subtype <name>",
      synopsis: "points, stacks: only rows of this subtype, if amounts of different subtypes cannot be added",
    },
    ["points", "stacks"],
  ],
  [
    { flags: "--compat <program>", synopsis: "stacks: write the format of that program", choices: ["perun"] },
    ["stacks"],
  ],
];

export const profileOptions: readonly OptionSpec[] = partsOf.map(([option]) => option);

/** Prints a part of a profile. */
export async function convertProfileTo(session: Session, args: Arguments, word: string): Promise<number> {
  const part = profileParts.find((each) => each === word);
  if (part === undefined)
    throw new Failure("unknown-choice", { kind: "part of a profile", value: word, choices: profileParts });
  refuseUnusable(args, (_, parts) => !parts.includes(part), `does not apply to ${part}`);
  const table = await convertProfile(session.workspace, { ...optionsOf(args, part), confirm: confirmOf(session) });
  if (session.format === "parquet") await printParquet(session, table);
  else if (session.format === "text" && part === "stacks") printFolded(session, table);
  else await printRows(session, table, { schema: "perfkeep.profile-table/1", part, columns: columnsOf(table) }, part);
  return exitStatus.fine;
}

/** Fails with `bad-usage` for options of profiles if a description is converted. */
export function refuseProfileOptions(args: Arguments): void {
  refuseUnusable(args, () => true, `needs a part of a profile: ${profileParts.join(", ")}`);
}

function refuseUnusable(
  args: Arguments,
  isUnusable: (option: OptionSpec, parts: readonly ProfilePart[]) => boolean,
  reason: string,
): void {
  const given = partsOf.find(([option, parts]) => isUnusable(option, parts) && args.texts(nameOf(option)).length > 0);
  if (given) throw new Failure("bad-usage", { reason: `--${nameOf(given[0])} ${reason}`, command: "perfkeep convert" });
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
    columns: namesOf(args, "columns"),
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
  };
}

function columnsOf({ variables }: Table): object[] {
  return variables.map(({ name, type, unit }) => ({ name, type, unit: formatUnit(unit) }));
}

/** One line per stack, the input of flame graph tools. */
function printFolded({ output }: Session, table: Table): void {
  for (let row = 0; row < table.length; row++) {
    const [stack, amount] = jsonRow(table, row);
    output.data(`${output.toTerminal ? terminalText(String(stack)) : stack} ${amount}\n`);
  }
}

async function printParquet({ output, workspace }: Session, table: Table): Promise<void> {
  if (output.toTerminal)
    throw new Failure("unusable-combination", {
      what: "Parquet is binary and cannot be printed on a terminal",
      instead: "give -o FILE.parquet",
    });
  await tableAsParquet(workspace, table, (bytes) => output.data(bytes));
}
