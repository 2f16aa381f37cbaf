import { grantTrust, revokeTrust, showTrust, type TrustResult } from "../../../commands/configuration/trust.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Verb } from "../../verb.ts";

export const trust: Verb = {
  name: "trust",
  summary: "allow the commands that this repository's configuration names",
  examples: ["perfkeep trust"],
  details:
    "A cloned repository can bring a .perun whose configuration names commands. None of them runs before you have allowed exactly these;\n" +
    "when they change, you are asked again. The record is kept outside of the repository.",
  options: [
    {
      flags: "--show",
      synopsis: "print the commands and whether they are allowed (exit status 77: they are not); change nothing",
    },
    { flags: "--revoke", synopsis: "take the permission back" },
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
  if (commands.length === 0) return [`${terminalText(path)} names no commands`];
  return [
    `${trusted ? "trusted" : "not trusted"}: ${terminalText(path)} may${trusted ? "" : " not"} run`,
    ...commands.map((command) => `  ${terminalText(command)}`),
  ];
}
