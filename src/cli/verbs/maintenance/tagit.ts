import { exportVersion, diffVersions, snapshot as takeSnapshot, tagVersion } from "../../../commands/history/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Verb } from "../../verb.ts";

const snapshot: Verb = {
  name: "snapshot",
  summary: "store the folder as a snapshot",
  details: "Includes all files that .tagitignore does not exclude. Without changes, no snapshot is created.",
  options: [
    { flags: "-m, --message <text>", synopsis: "commit message", default: "" },
    { flags: "-t, --tag <name>", synopsis: "also tag the snapshot" },
    { flags: "-b, --branch <name>", synopsis: "continue or start this branch (default: the current one)" },
    { flags: "--from <rev>", synopsis: "parent, instead of the head of the branch" },
    { flags: "--merge <rev>", synopsis: "further parent (merge)", repeat: true },
    { flags: "--author <name>", synopsis: "author: 'Name <address>' (default: TAGIT_AUTHOR, or your user name)" },
  ],
  formats: ["json"],
  async run(session, args) {
    const [tag, branch, from, author] = [args.text("tag"), args.text("branch"), args.text("from"), args.text("author")];
    const result = await takeSnapshot(session.workspace, {
      message: args.text("message") ?? "",
      merged: args.texts("merge"),
      ...(tag === undefined ? {} : { tag }),
      ...(branch === undefined ? {} : { branch }),
      ...(from === undefined ? {} : { from }),
      ...(author === undefined ? {} : { author }),
    });
    if (session.format === "json") session.output.document("perfkeep.tagit-snapshot/1", result);
    else {
      const head = `${abbreviate(result.version)} on ${terminalText(result.branch)}`;
      session.output.report(result.isNew ? `${head}\n` : `no changes since ${head}\n`);
    }
    return 0;
  },
};

const tag: Verb = {
  name: "tag",
  summary: "tag a snapshot permanently",
  operands: [
    { name: "<name>", synopsis: "name of the tag" },
    { name: "[rev]", synopsis: "snapshot (default: HEAD)" },
  ],
  async run(session, args) {
    const name = args.operand(0);
    const version = await tagVersion(session.workspace, name, args.optionalOperand(1));
    session.output.data(`${terminalText(name)} is ${abbreviate(version)}\n`);
    return 0;
  },
};

const diff: Verb = {
  name: "diff",
  summary: "show changes between two snapshots, or since one",
  operands: [
    { name: "[from]", synopsis: "older snapshot (default: HEAD)" },
    { name: "[to]", synopsis: "newer snapshot (default: the folder)" },
  ],
  async run(session, args) {
    const text = await diffVersions(session.workspace, args.optionalOperand(0), args.optionalOperand(1));
    session.output.data(
      session.output.toTerminal
        ? text
            .split("\n")
            .map((line) => terminalText(line))
            .join("\n")
        : text,
    );
    return 0;
  },
};

const checkout: Verb = {
  name: "checkout",
  summary: "write the files of a snapshot to another folder",
  details: [
    "The project folder is never written. To go back to an earlier snapshot, check it out to another folder and copy",
    "files.",
  ].join("\n"),
  operands: [
    { name: "<rev>", synopsis: "snapshot" },
    { name: "<folder>", synopsis: "empty or new folder" },
  ],
  async run(session, args) {
    const folder = args.operand(1);
    const version = await exportVersion(session.workspace, args.operand(0), folder);
    session.output.report(`${abbreviate(version)} is in ${terminalText(folder)}\n`);
    return 0;
  },
};

export const tagit: Verb = {
  name: "tagit",
  summary: "version a folder that is under no version control",
  examples: ["perfkeep tagit snapshot -m 'Sort in place'", "perfkeep tagit tag v1.0"],
  details:
    "perfkeep init --vcs-type tagit sets it up; log, run matrix, check and all other verbs treat snapshots as commits.",
  subverbs: [snapshot, tag, diff, checkout],
};
