import { commitJson } from "../../print/index.ts";
import { importProfile, type ImportedProfile } from "../../../commands/profiles/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { mergedParams } from "../profiles/job-options.ts";

/** Options that make sense for profiles alone; `import --as profile` accepts them as well. */
export const profileOnlyOptions: readonly OptionSpec[] = [
  {
    flags: "--reader <format>",
    synopsis: "profiler format of the files: perf-script, pprof, massif, … (default: auto-detect)",
  },
  { flags: "--cmd <command>", synopsis: "measured command (default: as recorded in the file)" },
  { flags: "--workload <words>", synopsis: "arguments of the command" },
];

export const importProfileVerb: Verb = {
  name: "import-profile",
  summary: "convert output of profilers or benchmarks into pending profiles",
  details: [
    "Each file becomes a pending profile of the commit that was measured; perfkeep add registers it. Formats are",
    "auto-detected: perf script, pprof, callgrind, massif, heaptrack, profiles of V8 and Firefox, …",
    "(docs/profile-conversions.md), and the benchmark formats of perfkeep import --list-formats.",
  ].join("\n"),
  examples: [
    "perfkeep import-profile massif.out.1234",
    "perfkeep import-profile heaptrack.server.1234.gz --cmd ./server --workload selftest",
    "perf script | perfkeep import-profile -",
  ],
  operands: [
    { name: "<file...>", synopsis: "output of a profiler or benchmark, or a folder of TAU; - is standard input" },
  ],
  options: [
    ...profileOnlyOptions,
    {
      flags: "--from <format>",
      synopsis: "benchmark format of the files, instead of a profiler format (default: auto-detect)",
      means: ["importer"],
    },
    { flags: "--params <yaml>", synopsis: "options of the format, or a file with them", repeat: true },
    {
      flags: "-m, --minor <rev>",
      synopsis: "measured commit (default: as recorded in the file, else HEAD)",
      also: ["--minor-version"],
    },
  ],
  formats: ["json"],
  run: importProfiles,
};

/** Creates a pending profile from each file. */
export async function importProfiles(session: Session, args: Arguments): Promise<number> {
  const [reader, cmd, workload, minor, from] = ["reader", "cmd", "workload", "minor", "from"].map((name) =>
    args.text(name),
  );
  const files = args.rest(0);
  if (files.length === 0)
    throw new Failure("bad-usage", { reason: "a file is missing", command: "perfkeep import-profile" });
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
  if (session.format === "json")
    session.output.document("perfkeep.imported-profiles/2", { profiles: profiles.map(commitJson) });
  else
    for (const { format, name, version } of profiles)
      session.output.report(`${terminalText(name)} of ${format} pending for ${abbreviate(version)}\n`);
  return exitStatus.fine;
}
