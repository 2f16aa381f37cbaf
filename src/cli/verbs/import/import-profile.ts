import { importProfile, type ImportedProfile } from "../../../commands/profiles/import-profile.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec } from "../../verb.ts";
import { mergedParams } from "../profiles/job-options.ts";

/** Options of `import --as profile`. */
export const profileOptions: readonly OptionSpec[] = [
  {
    flags: "--reader <format>",
    synopsis: "--as profile: the format of the files: perf-script, pprof, massif, … (default: as they tell)",
  },
  {
    flags: "--params <yaml>",
    synopsis: "without a description: options of the format, or a file with them",
    repeat: true,
  },
  { flags: "--cmd <command>", synopsis: "--as profile: what was measured (default: as the file tells)" },
  { flags: "--workload <words>", synopsis: "--as profile: the arguments of it" },
  {
    flags: "--minor <rev>",
    synopsis: "without a description: the version that was measured (default: as the file tells, else the head)",
  },
];

/** Makes a pending profile of each file. `experimentOptions` are those that say nothing here. */
export async function importProfiles(
  session: Session,
  args: Arguments,
  experimentOptions: readonly OptionSpec[],
): Promise<number> {
  const stray = experimentOptions.find((option) => isGiven(args, option));
  if (stray !== undefined) throw usage(`${stray.flags.replace(/ <.*/, "")} says nothing of a profile`);
  const [reader, cmd, workload, minor, from] = ["reader", "cmd", "workload", "minor", "from"].map((name) =>
    args.text(name),
  );
  const files = args.rest(0);
  if (files.length === 0) throw usage("a file is missing");
  const profiles: ImportedProfile[] = [];
  for (const file of files)
    profiles.push(
      await importProfile(session.workspace, {
        file,
        params: mergedParams(session, args.texts("params")),
        ...(reader === undefined ? {} : { reader }),
        ...(cmd === undefined ? {} : { cmd }),
        ...(workload === undefined ? {} : { workload }),
        ...(minor === undefined ? {} : { minor }),
        ...(from === undefined ? {} : { from }),
      }),
    );
  if (session.format === "json") session.output.document("perfkeep.imported-profiles/1", { profiles });
  else
    for (const { format, name, version } of profiles)
      session.output.data(`${terminalText(name)} of ${format} pending for ${abbreviate(version)}\n`);
  return exitStatus.fine;
}

/**
 * Fails with `bad-usage` for options of profiles where no profile is to be made; the `allowed` ones mean something
 * there, too.
 */
export function refuseProfileOptions(args: Arguments, allowed: readonly string[]): void {
  const stray = profileOptions.find(
    (option) => isGiven(args, option) && !allowed.some((flag) => option.flags.startsWith(`${flag} `)),
  );
  if (stray !== undefined) throw usage(`${stray.flags.replace(/ <.*/, "")} needs --as profile`);
}

function isGiven(args: Arguments, { flags }: OptionSpec): boolean {
  const name = (/--([a-z-]+)/.exec(flags)?.[1] ?? "").replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return args.flag(name) || args.texts(name).length > 0;
}

function usage(reason: string): Failure {
  return new Failure("bad-usage", { reason, command: "perfkeep import" });
}
