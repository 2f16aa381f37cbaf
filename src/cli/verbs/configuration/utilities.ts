import { createPlugin, pluginPurposes } from "../../../commands/configuration/create-plugin.ts";
import { listPlugins, type ListedPlugin } from "../../../commands/configuration/plugins.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { skeletonLanguages, skeletonPhases } from "../../../workspace/plugins/plugin-skeleton.ts";
import type { Verb } from "../../verb.ts";

const create: Verb = {
  name: "create",
  summary: "write the skeleton of a plug-in into the project, with a test that holds it to its contract",
  details: [
    "The plug-in works as it is: change it step by step while the test stays green. The local configuration names it under plugins.",
    "",
    "Example: perfkeep utils create check by-median",
  ].join("\n"),
  operands: [
    { name: "<purpose>", synopsis: Object.keys(pluginPurposes).join(", "), known: Object.keys(pluginPurposes) },
    { name: "<name>", synopsis: "what users will call it: words of small letters and digits, joined by hyphens" },
  ],
  options: [
    { flags: "--language <name>", synopsis: "what to write it in", choices: skeletonLanguages, default: "javascript" },
    {
      flags: "--phase <name>",
      synopsis: "of a collector: write this phase, too",
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
        `the local configuration names ${terminalText(made.entry)} under plugins`,
        "next:",
        ...made.next.map((command) => `  ${terminalText(command)}`),
      ];
      session.output.data(`${lines.join("\n")}\n`);
    }
    return 0;
  },
};

const plugins: Verb = {
  name: "plugins",
  summary: "list the plug-ins of all kinds that one can add to, those of the configuration too",
  examples: ["perfkeep utils plugins"],
  formats: ["json"],
  async run(session) {
    const found = await listPlugins(session.workspace);
    if (session.format === "json") session.output.document("perfkeep.plugins/1", { plugins: found });
    else session.output.data(`${listText(found).join("\n")}\n`);
    return 0;
  },
};

function listText(found: readonly ListedPlugin[]): string[] {
  const width = Math.max(...found.map(({ name }) => name.length)) + 2;
  const line = ({ name, synopsis, file }: ListedPlugin): string =>
    `  ${name.padEnd(width)}${terminalText(synopsis)}${file === null ? "" : ` (${terminalText(file)})`}`;
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => [`${kind}:`, ...found.filter((each) => each.kind === kind).map(line)]);
}

export const utils: Verb = {
  name: "utils",
  summary: "write plug-ins of your own, and list all there are",
  subverbs: [create, plugins],
};
