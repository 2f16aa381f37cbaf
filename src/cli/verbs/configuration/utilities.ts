import { createPlugin, pluginPurposes, listPlugins, type ListedPlugin } from "../../../commands/configuration/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import { skeletonLanguages, skeletonPhases } from "../../../workspace/plugins/index.ts";
import type { Verb } from "../../verb.ts";

const create: Verb = {
  name: "create",
  summary: "create the skeleton of a plug-in with a contract test",
  details: [
    "The skeleton works as is: change it while the test passes. It is registered under plugins in the local",
    "configuration.",
    "",
    "Example: perfkeep utils create check by-median",
  ].join("\n"),
  operands: [
    { name: "<purpose>", synopsis: Object.keys(pluginPurposes).join(", "), known: Object.keys(pluginPurposes) },
    { name: "<name>", synopsis: "name of the plug-in: lower-case letters, digits and hyphens" },
  ],
  options: [
    { flags: "--language <name>", synopsis: "programming language", choices: skeletonLanguages, default: "javascript" },
    {
      flags: "--phase <name>",
      synopsis: "collectors: add this phase",
      choices: skeletonPhases,
      repeat: true,
    },
  ],
  formats: ["json"],
  async run(session, args) {
    const language = skeletonLanguages.find((known) => known === args.text("language")) ?? "javascript";
    const phases = skeletonPhases.filter((phase) => args.texts("phase").includes(phase));
    const made = await createPlugin(session.workspace, {
      purpose: args.operand(0),
      name: args.operand(1),
      language,
      phases,
    });
    if (session.format === "json") session.output.document("perfkeep.plugin/1", made);
    else {
      const lines = [
        ...made.files.map((file) => `wrote ${terminalText(file)}`),
        `added ${terminalText(made.entry)} to plugins in the local configuration`,
        "next:",
        ...made.next.map((command) => `  ${terminalText(command)}`),
      ];
      session.output.report(`${lines.join("\n")}\n`);
    }
    return 0;
  },
};

const plugins: Verb = {
  name: "plugins",
  summary: "list plug-ins of all extensible kinds, built-in and configured",
  examples: ["perfkeep utils plugins"],
  formats: ["json"],
  async run(session) {
    const listed = await listPlugins(session.workspace);
    if (session.format === "json") session.output.document("perfkeep.plugins/1", { plugins: listed });
    else session.output.data(`${listText(listed).join("\n")}\n`);
    return 0;
  },
};

function listText(plugins: readonly ListedPlugin[]): string[] {
  const width = Math.max(...plugins.map(({ name }) => name.length)) + 2;
  const line = ({ name, synopsis, file }: ListedPlugin): string =>
    `  ${name.padEnd(width)}${terminalText(synopsis)}${file === null ? "" : ` (${terminalText(file)})`}`;
  const kinds = [...new Set(plugins.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => [`${kind}:`, ...plugins.filter((each) => each.kind === kind).map(line)]);
}

export const utils: Verb = {
  name: "utils",
  summary: "create plug-ins and list available ones",
  subverbs: [create, plugins],
};
