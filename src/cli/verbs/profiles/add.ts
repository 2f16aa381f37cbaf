import { commitJson } from "../../print/index.ts";
import { add as addProfiles } from "../../../commands/profiles/index.ts";
import { confirmOf } from "../../confirm.ts";
import { noteFailure } from "../../failure-line.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { minorOption } from "../options.ts";

/** `add` of perfkeep, or of Perun, whose default is the head. */
export const [add, perunAdd] = [addVerb(true), addVerb(false)];

function addVerb(atOrigin: boolean): Verb {
  return {
    name: "add",
    summary: "register profiles for a commit",
    examples: ["perfkeep add 0@p", "perfkeep add --minor HEAD~1 time-sort.perf"],
    details: [
      "A profile is a pending tag (0@p, 0@p-3@p), a file, or part of the name of a pending profile. It is registered",
      "at the commit where it was measured (its origin). The file is deleted once the profile is stored.",
    ].join("\n"),
    operands: [
      {
        name: "<profile...>",
        synopsis: "pending tags, files or names of pending profiles",
        means: ["pending", "file"],
      },
    ],
    options: [
      atOrigin
        ? { ...minorOption, synopsis: "commit (default: where each profile was measured, else HEAD)" }
        : minorOption,
      { flags: "--keep-profile", synopsis: "keep the file" },
      { flags: "-f, --force", synopsis: "register profiles of another or unknown commit" },
      { flags: "--allow-dirty", synopsis: "register profiles measured with uncommitted changes" },
    ],
    formats: ["json"],
    run: (session, args) => run(session, args, atOrigin),
  };
}

async function run(session: Session, args: Arguments, atOrigin: boolean): Promise<number> {
  const minor = args.text("minor");
  const result = await addProfiles(session.workspace, {
    profiles: args.rest(0),
    ...(minor === undefined ? {} : { minor }),
    atOrigin,
    keepProfile: args.flag("keepProfile"),
    force: args.flag("force"),
    allowDirty: args.flag("allowDirty"),
    confirm: confirmOf(session),
  });
  const { output } = session;
  if (session.format === "json")
    output.document("perfkeep.add/2", { added: result.added.map(commitJson), failed: result.failed });
  else
    for (const { name, object, version, state } of result.added) {
      const verb = state === "present" ? "was already registered" : "registered";
      output.report(`${terminalText(name)} ${verb} at ${abbreviate(version)} as ${object}\n`);
    }
  if (session.format !== "json") for (const { failure } of result.failed) noteFailure(session, failure);
  if (result.failed.length > 0 && result.added.length > 0)
    output.note(`${result.added.length} stored, ${result.failed.length} not`);
  return result.failed[0]?.failure.exit ?? 0;
}
