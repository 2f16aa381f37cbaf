import { editConfigFile } from "../../../commands/configuration/config.ts";
import { init as initialise } from "../../../commands/configuration/init.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { templateNames } from "../../../workspace/config/templates.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import type { Verb } from "../../verb.ts";

export const init: Verb = {
  name: "init",
  summary: "make an instance (.perun) in a repository",
  examples: ["perfkeep init", "perfkeep init --vcs-type tagit"],
  details: [
    "What is there already stays as it is. Where there is no repository, one is made.",
    "In a clone of a project that shares what it measures, perfkeep pull brings it.",
  ].join("\n"),
  operands: [{ name: "[path]", synopsis: "the project's folder (default: this one)" }],
  options: [
    {
      flags: "--vcs-type <name>",
      synopsis: "version control system (default: that of the repository which is there, else git)",
    },
    { flags: "--vcs-path <path>", synopsis: "where the repository lies, if elsewhere" },
    {
      flags: "--vcs-param <words>",
      synopsis: "option with value for a new repository: --vcs-param initial-branch main",
      words: 2,
    },
    { flags: "--vcs-flag <flag>", synopsis: "option for a new repository: --vcs-flag bare", repeat: true },
    {
      flags: "-t, --config-template <name>",
      synopsis: "what the configuration is made from",
      choices: templateNames,
      default: "master",
    },
    { flags: "-c, --configure", synopsis: "open the new configuration in your editor" },
  ],
  formats: ["json"],
  async run(session, args) {
    const [path, vcsPath, vcsType] = [args.maybeOperand(0), args.text("vcsPath"), args.text("vcsType")];
    const result = await initialise(session.workspace, {
      ...(path === undefined ? {} : { path }),
      ...(vcsPath === undefined ? {} : { vcsPath }),
      ...(vcsType === undefined ? {} : { vcsType }),
      vcsParams: Object.fromEntries(args.pairs("vcsParam")),
      vcsFlags: args.texts("vcsFlag"),
      template: args.text("configTemplate") ?? "master",
    });
    if (args.flag("configure"))
      await editConfigFile(session.workspaceAt(result.perun), "local", confirmCommandsOf(session));
    if (session.format === "json") session.output.document("perfkeep.init/1", result);
    else {
      const made = result.instance === "created" ? "Initialised" : "There is already";
      const repository = result.repository === "created" ? ", in a new repository" : "";
      session.output.data(`${made} a perfkeep instance in ${terminalText(result.perun)}${repository}\n`);
    }
    return 0;
  },
};
