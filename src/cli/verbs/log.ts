import { log as walkLog, type LogEntry } from "../../commands/log.ts";
import { isoTime } from "../print/date.ts";
import { longEntry, shortLog } from "../print/log.ts";
import { mediumOf } from "../print/medium.ts";
import type { Session } from "../session.ts";
import type { Verb } from "../verb.ts";
import { compatOption } from "./options.ts";

export const log: Verb = {
  name: "log",
  summary: "show the history with its profiles",
  examples: ["perfkeep log --short", "perfkeep log v1.0"],
  operands: [{ name: "[rev]", synopsis: "version to begin at (default: the head)" }],
  options: [
    { flags: "-s, --short", synopsis: "one line a version, as format.shortlog says" },
    { flags: "-n, --limit <count>", synopsis: "at most so many versions" },
    { flags: "--with-profiles", synopsis: "only versions that have profiles" },
    compatOption,
  ],
  formats: ["json", "ndjson"],
  async run(session, args) {
    const [revision, limit] = [args.maybeOperand(0), args.count("limit", 1)];
    const batches = walkLog(session.workspace, {
      ...(revision === undefined ? {} : { revision }),
      ...(limit === undefined ? {} : { limit }),
      onlyWithProfiles: args.flag("withProfiles"),
    });
    if (session.format === "json") await printJson(session, batches);
    else if (session.format === "ndjson")
      await eachBatch(batches, (batch) => session.output.data(batch.map((entry) => `${JSON.stringify(jsonEntry(entry))}\n`).join("")));
    else await printText(session, batches, args.flag("short"), args.text("compat"));
    return 0;
  },
};

async function printText(
  session: Session,
  batches: AsyncIterable<readonly LogEntry[]>,
  short: boolean,
  compat: string | undefined,
): Promise<void> {
  const { output, workspace } = session;
  if (await workspace.pages("log")) output.page();
  const medium = await mediumOf(session, compat);
  if (!short) return eachBatch(batches, (batch) => output.data(batch.map((entry) => longEntry(entry, medium)).join("")));
  const entries: LogEntry[] = [];
  await eachBatch(batches, (batch) => entries.push(...batch));
  output.data(shortLog(entries, (await workspace.config()).text("format.shortlog"), medium));
}

/** One document, written as it comes: a long history is never held as a whole. */
async function printJson({ output }: Session, batches: AsyncIterable<readonly LogEntry[]>): Promise<void> {
  let written = 0;
  const first = await firstBatch(batches);
  output.data('{"schema":"perfkeep.log/1","versions":[');
  for await (const batch of first) {
    output.data(batch.map((entry) => (written++ > 0 ? ",\n" : "\n") + JSON.stringify(jsonEntry(entry))).join(""));
  }
  output.data("\n]}\n");
}

/** Waits for the first batch, so that a failure at the start leaves no half document behind. */
async function firstBatch<T>(batches: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    async *[Symbol.asyncIterator]() {
      for (let step = first; !step.done; step = await iterator.next()) yield step.value;
    },
  };
}

async function eachBatch(batches: AsyncIterable<readonly LogEntry[]>, action: (batch: readonly LogEntry[]) => void): Promise<void> {
  for await (const batch of batches) action(batch);
}

function jsonEntry({ version, profiles, changes }: LogEntry): object {
  const { id, parents, author, email, date, description } = version;
  return { checksum: id, parents, author, email, date: isoTime(date), description, profiles, changes };
}
