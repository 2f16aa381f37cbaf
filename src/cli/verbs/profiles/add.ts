import { commitJson } from "../../print/index.ts";
import { add as addProfiles, type AddOptions } from "../../../commands/profiles/index.ts";
import { confirmOf } from "../../confirm.ts";
import { noteFailure } from "../../failure-line.ts";
import { exitStatus, Failure } from "../../../core/failures/index.ts";
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
    examples: [
      "perfkeep add 0@p",
      ...(atOrigin ? ["perfkeep add --all"] : []),
      "perfkeep add -m HEAD~1 time-sort.perf",
    ],
    details: [
      "A profile is a pending tag (0@p, 0@p-3@p), a file, or part of the name of a pending profile. It is registered",
      "at the commit where it was measured (its origin). The file is deleted once the profile is stored.",
    ].join("\n"),
    operands: [
      {
        name: atOrigin ? "[profile...]" : "<profile...>",
        synopsis: "pending tags, files or names of pending profiles",
        means: ["pending", "file"],
      },
    ],
    options: [
      atOrigin
        ? { ...minorOption, synopsis: "commit (default: where each profile was measured, else HEAD)" }
        : minorOption,
      ...(atOrigin ? [{ flags: "-A, --all", synopsis: "register all pending profiles" }] : []),
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
    profiles: selectedProfiles(args),
    ...(minor === undefined ? {} : { minor }),
    atOrigin,
    keepProfile: args.flag("keepProfile"),
    force: args.flag("force"),
    allowDirty: args.flag("allowDirty"),
    confirm: confirmOf(session),
  });
  const { output } = session;
  if (result.added.length + result.failed.length === 0) {
    output.note("no profiles are pending");
    return exitStatus.nothingMatched;
  }
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

/** The named profiles, or all pending ones. */
function selectedProfiles(args: Arguments): AddOptions["profiles"] {
  const named = args.rest(0);
  if (args.flag("all") && named.length > 0)
    throw new Failure("unusable-combination", { what: "--all and profiles", instead: "use one of them" });
  if (args.flag("all")) return "pending";
  if (named.length > 0) return named;
  throw new Failure("bad-usage", {
    reason: "no profile is named: write a tag such as 0@p, or --all",
    command: "perfkeep add",
  });
}
