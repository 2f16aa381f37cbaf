import { exitStatus } from "../../core/failures/kind.ts";
import { Failure } from "../../core/failures/failure.ts";
import { completionScripts } from "./scripts.ts";
import type { Verb } from "../verb.ts";

const shells = Object.keys(completionScripts);

export const completion: Verb = {
  name: "completion",
  summary: "print a script that completes words in bash, zsh or fish",
  details: [
    "It completes verbs, options and their choices, and asks perfkeep for versions, profiles, experiments, formats and plug-ins of the project around you;",
    "also for perun and perfbase. Completing writes nothing and runs nothing that a configuration names.",
    "",
    'Examples: eval "$(perfkeep completion bash)"            # in ~/.bashrc',
    '          eval "$(perfkeep completion zsh)"             # in ~/.zshrc, behind compinit',
    "          perfkeep completion fish | source             # in ~/.config/fish/config.fish",
  ].join("\n"),
  operands: [{ name: "<shell>", synopsis: shells.join(", "), known: shells }],
  async run(session, args) {
    const shell = args.operand(0);
    const script = Object.entries(completionScripts).find(([name]) => name === shell)?.[1];
    if (script === undefined) throw new Failure("unknown-choice", { kind: "shell", value: shell, choices: shells });
    session.output.data(script);
    return exitStatus.fine;
  },
};
