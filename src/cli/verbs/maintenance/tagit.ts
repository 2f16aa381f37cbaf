import {
  exportVersion,
  diffVersions,
  snapshot as takeSnapshot,
  tagVersion,
} from "../../../commands/history/snapshot.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Verb } from "../../verb.ts";

const snapshot: Verb = {
  name: "snapshot",
  summary: "keep the folder as it stands as a version",
  details: "Everything counts that .tagitignore does not leave out. When nothing has changed, no version is made.",
  options: [
    { flags: "-m, --message <text>", synopsis: "what this version is about", default: "" },
    { flags: "-t, --tag <name>", synopsis: "give the version a name as well" },
    { flags: "-b, --branch <name>", synopsis: "continue or begin this branch (default: the present one)" },
    { flags: "--from <rev>", synopsis: "the version before this one, instead of the head of the branch" },
    { flags: "--merge <rev>", synopsis: "a further version that went into this one", repeat: true },
    { flags: "--author <name>", synopsis: "who made it: 'Name <address>' (default: TAGIT_AUTHOR, or your user name)" },
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
      const place = `${abbreviate(result.version)} on ${terminalText(result.branch)}`;
      session.output.data(result.isNew ? `${place}\n` : `nothing has changed since ${place}\n`);
    }
    return 0;
  },
};

const tag: Verb = {
  name: "tag",
  summary: "name a version for good",
  operands: [
    { name: "<name>", synopsis: "the name" },
    { name: "[rev]", synopsis: "the version (default: the head)" },
  ],
  async run(session, args) {
    const name = args.operand(0);
    const version = await tagVersion(session.workspace, name, args.maybeOperand(1));
    session.output.data(`${terminalText(name)} is ${abbreviate(version)}\n`);
    return 0;
  },
};

const diff: Verb = {
  name: "diff",
  summary: "show what changed between two versions, or since one",
  operands: [
    { name: "[from]", synopsis: "the version before (default: the head)" },
    { name: "[to]", synopsis: "the version after (default: the folder as it stands)" },
  ],
  async run(session, args) {
    const text = await diffVersions(session.workspace, args.maybeOperand(0), args.maybeOperand(1));
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
  summary: "put the files of a version into another folder",
  details: [
    "Your own folder is never written to. To go back to an earlier version, check it out beside it and take what you",
    "need.",
  ].join("\n"),
  operands: [
    { name: "<rev>", synopsis: "the version" },
    { name: "<folder>", synopsis: "a folder that is empty or not there yet" },
  ],
  async run(session, args) {
    const folder = args.operand(1);
    const version = await exportVersion(session.workspace, args.operand(0), folder);
    session.output.data(`${abbreviate(version)} is in ${terminalText(folder)}\n`);
    return 0;
  },
};

export const tagit: Verb = {
  name: "tagit",
  summary: "version a folder that is under no version control",
  examples: ["perfkeep tagit snapshot -m 'Sort in place'", "perfkeep tagit tag v1.0"],
  details: [
    "perfkeep init --vcs-type tagit begins; perfkeep log, run matrix, check and all others work on snapshots as on",
    "commits.",
  ].join("\n"),
  subverbs: [snapshot, tag, diff, checkout],
};
