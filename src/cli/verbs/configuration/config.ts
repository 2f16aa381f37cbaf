import {
  editConfigFile,
  getConfig,
  resetConfig,
  setConfig,
  type ConfigChange,
  type ConfigWhere,
  grantTrust,
  revokeTrust,
  showTrust,
  type TrustResult,
} from "../../../commands/configuration/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { terminalLines, terminalText } from "../../../core/text/index.ts";
import { withScratchDatabase } from "../../../workspace/experiments/index.ts";
import { checkRequirements, type Requirement } from "../../../workspace/machine/index.ts";
import { templateNames } from "../../../workspace/config/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";

export const trust: Verb = {
  name: "trust",
  summary: "allow the commands that the repository's configuration runs",
  examples: ["perfkeep trust"],
  details:
    "A foreign repository can contain a .perun whose configuration runs commands, and a .git/config whose settings\n" +
    "run programs when push, pull and fetch contact a remote (core.sshCommand, credential.helper and others). None\n" +
    "of them runs until you allow exactly these; changed ones need a new permission. Permissions are stored outside\n" +
    "the repository.",
  options: [
    {
      flags: "--show",
      synopsis: "print the commands and whether they are allowed (exit status 77 if not)",
    },
    { flags: "--revoke", synopsis: "revoke the permission" },
  ],
  formats: ["json"],
  async run(session, args) {
    const { workspace, output } = session;
    const act = args.flag("revoke") ? revokeTrust : args.flag("show") ? showTrust : grantTrust;
    const result = await act(workspace);
    if (session.format === "json") output.document("perfkeep.trust/1", result);
    else output.data(`${text(result).join("\n")}\n`);
    return args.flag("show") && !result.trusted ? exitStatus.untrusted : exitStatus.fine;
  },
};

function text({ path, commands, trusted }: TrustResult): string[] {
  if (commands.length === 0) return [`${terminalText(path)} runs no commands`];
  return [
    `${trusted ? "trusted" : "not trusted"}: ${terminalText(path)} may${trusted ? "" : " not"} run`,
    ...commands.map((command) => `  ${terminalText(command)}`),
  ];
}

export const doctor: Verb = {
  name: "doctor",
  summary: "check what perfkeep finds on this machine",
  details:
    "Lists the programs, libraries and permissions that perfkeep uses: whether each is present, limited or missing,\n" +
    "what it is needed for, and the Debian package that has it. Starts each program once; changes nothing, runs\n" +
    "nothing of the repository and needs no instance.\n\n" +
    "Exit status: 0 git and Node are there, 74 one of them is missing or too old. Nothing else is required.",
  examples: ["perfkeep doctor", "perfkeep doctor --format json"],
  formats: ["json"],
  async run({ workspace, output, format }) {
    const requirements = await checkRequirements(workspace.shell(), [
      {
        name: "DuckDB",
        purpose: "experiments, queries and SQL",
        load: () => withScratchDatabase(workspace, async () => {}),
      },
      { name: "resvg", purpose: "PNG pictures", load: () => workspace.registry.get("renderer", "png") },
    ]);
    const passed = requirements.every(({ required, state }) => !required || state === "present");
    if (format === "json") output.document("perfkeep.doctor/1", { passed, requirements });
    else output.data(`${requirements.flatMap(requirementLines).join("\n")}\n`);
    return passed ? exitStatus.fine : exitStatus.host;
  },
};

function requirementLines({ name, state, version, remedy, purpose }: Requirement): string[] {
  const label = `${name}${version === null ? "" : ` ${version}`}`;
  const first = `${state.padEnd(9)}${terminalText(label).padEnd(24)}${purpose}`;
  return remedy === null ? [first] : [first, `${" ".repeat(9)}${terminalText(remedy)}`];
}

const whereOptions: readonly OptionSpec[] = [
  { flags: "-l, --local", synopsis: "the configuration of this instance (.perun/local.yml)" },
  { flags: "-s, --shared", synopsis: "your configuration for all instances" },
  { flags: "-n, --nearest", synopsis: "the first file that has the key (default)" },
];

export const config: Verb = {
  name: "config",
  summary: "read and change the configuration",
  examples: ["perfkeep config get vcs.type", "perfkeep config set format.sort_profiles_by cmd"],
  details: "Keys are dotted, such as format.status. The local configuration takes precedence over the shared one.",
  subverbs: [
    {
      name: "get",
      summary: "print a value",
      operands: [{ name: "<key>", synopsis: "such as vcs.type" }],
      options: whereOptions,
      formats: ["json"],
      async run(session, args) {
        const { key, text, from } = await getConfig(session.workspace, whereOf(args), args.operand(0));
        if (session.format === "json") session.output.document("perfkeep.config/1", { key, value: text, from });
        // Lists and sections follow the key on their own lines, as in the file.
        else session.output.data(`${terminalText(key)}:${/^- |\n/.test(text) ? "\n" : " "}${terminalLines(text)}\n`);
        return 0;
      },
    },
    {
      name: "set",
      summary: "change a value, keeping comments in the file",
      operands: [
        { name: "<key>", synopsis: "such as format.sort_profiles_by" },
        { name: "<value>", synopsis: "text, number, yes, no or YAML list" },
      ],
      options: whereOptions,
      run: async (session, args) =>
        report(session, await setConfig(session.workspace, whereOf(args), args.operand(0), args.operand(1))),
    },
    {
      name: "edit",
      summary: "open the file in your editor",
      options: whereOptions,
      run: async (session, args) =>
        report(session, await editConfigFile(session.workspace, whereOf(args), confirmCommandsOf(session))),
    },
    {
      name: "reset",
      summary: "reset the file to a template",
      operands: [
        { name: "[template]", synopsis: `one of ${templateNames.join(", ")} (default: master)`, known: templateNames },
      ],
      options: whereOptions,
      run: async (session, args) =>
        report(session, await resetConfig(session.workspace, whereOf(args), args.optionalOperand(0) ?? "master")),
    },
  ],
};

function whereOf(args: Arguments): ConfigWhere {
  return args.flag("local") ? "local" : args.flag("shared") ? "shared" : "nearest";
}

function report({ output }: Session, change: ConfigChange): number {
  output.detail(`wrote ${change.path}`);
  for (const warning of change.warnings) output.note(warning);
  return 0;
}
