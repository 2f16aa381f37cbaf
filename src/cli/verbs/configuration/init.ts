import { editConfigFile, init as initialise } from "../../../commands/configuration/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import { templateNames } from "../../../workspace/config/index.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import type { Verb } from "../../verb.ts";

export const init: Verb = {
  name: "init",
  summary: "create an instance (.perun) in a repository",
  examples: ["perfkeep init", "perfkeep init --vcs-type tagit"],
  details: [
    "Existing files are kept. Without a repository, one is created.",
    "In a clone of a project with shared results, perfkeep pull fetches them.",
  ].join("\n"),
  operands: [{ name: "[path]", synopsis: "project folder (default: the current one)" }],
  options: [
    {
      flags: "--vcs-type <name>",
      synopsis: "version control system (default: that of the existing repository, else git)",
    },
    { flags: "--vcs-path <path>", synopsis: "path of the repository, if it is elsewhere" },
    {
      flags: "--vcs-param <words>",
      synopsis: "option of a new repository with its value: --vcs-param initial-branch main",
      words: 2,
    },
    { flags: "--vcs-flag <flag>", synopsis: "switch of a new repository: --vcs-flag bare", repeat: true },
    {
      flags: "-t, --config-template <name>",
      synopsis: "template of the configuration",
      choices: templateNames,
      default: "master",
    },
    {
      flags: "--shared",
      synopsis: "let all users of the folder's group write to the instance, as git init --shared does",
    },
    { flags: "-c, --configure", synopsis: "open the new configuration in your editor" },
  ],
  formats: ["json"],
  async run(session, args) {
    const [path, vcsPath, vcsType] = [args.optionalOperand(0), args.text("vcsPath"), args.text("vcsType")];
    const result = await initialise(session.workspace, {
      ...(path === undefined ? {} : { path }),
      ...(vcsPath === undefined ? {} : { vcsPath }),
      ...(vcsType === undefined ? {} : { vcsType }),
      vcsParams: Object.fromEntries(args.pairs("vcsParam")),
      vcsFlags: args.texts("vcsFlag"),
      template: args.text("configTemplate") ?? "master",
      shared: args.flag("shared"),
    });
    if (args.flag("configure"))
      await editConfigFile(session.workspaceAt(result.perun), "local", confirmCommandsOf(session));
    if (session.format === "json") session.output.document("perfkeep.init/1", result);
    else {
      const made = result.instance === "created" ? "Initialised" : "There is already";
      const repository = result.repository === "created" ? ", in a new repository" : "";
      session.output.report(`${made} a perfkeep instance in ${terminalText(result.perun)}${repository}\n`);
    }
    return 0;
  },
};
