import {
  changeConfigByHand,
  getConfig,
  resetConfig,
  setConfig,
  type ConfigChange,
  type ConfigWhere,
} from "../../../commands/configuration/config.ts";
import { terminalLines, terminalText } from "../../../core/text/terminal-text.ts";
import { templateNames } from "../../../workspace/config/templates.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";

const whereOptions: readonly OptionSpec[] = [
  { flags: "-l, --local", synopsis: "this instance's configuration (.perun/local.yml)" },
  { flags: "-s, --shared", synopsis: "your configuration for all instances" },
  { flags: "-n, --nearest", synopsis: "the first that has the key (default)" },
];

export const config: Verb = {
  name: "config",
  summary: "read and change the configuration",
  examples: ["perfkeep config get vcs.type", "perfkeep config set format.sort_profiles_by cmd"],
  details:
    "Keys are words joined by dots, such as format.status. The local configuration counts before the shared one.",
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
        // A list or a section stands below its key, as in the file.
        else session.output.data(`${terminalText(key)}:${/^- |\n/.test(text) ? "\n" : " "}${terminalLines(text)}\n`);
        return 0;
      },
    },
    {
      name: "set",
      summary: "change a value; comments of the file stay",
      operands: [
        { name: "<key>", synopsis: "such as format.sort_profiles_by" },
        { name: "<value>", synopsis: "a text, number, yes or no, or a list written as YAML" },
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
        report(session, await changeConfigByHand(session.workspace, whereOf(args), confirmCommandsOf(session))),
    },
    {
      name: "reset",
      summary: "start over from a template",
      operands: [
        { name: "[template]", synopsis: `one of ${templateNames.join(", ")} (default: master)`, known: templateNames },
      ],
      options: whereOptions,
      run: async (session, args) =>
        report(session, await resetConfig(session.workspace, whereOf(args), args.maybeOperand(0) ?? "master")),
    },
  ],
};

function whereOf(args: Arguments): ConfigWhere {
  return args.flag("local") ? "local" : args.flag("shared") ? "shared" : "nearest";
}

function report({ output }: Session, change: ConfigChange): number {
  output.detail(`wrote ${terminalText(change.path)}`);
  for (const warning of change.warnings) output.note(terminalText(warning));
  return 0;
}
