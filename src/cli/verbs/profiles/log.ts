import { Failure } from "../../../core/failures/failure.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import type { LogTrends } from "../../print/profiles/log-trend.ts";
import { log as walkLog, type LogEntry } from "../../../commands/history/log.ts";
import { isoTime } from "../../print/date.ts";
import { longEntry, shortLog } from "../../print/profiles/log.ts";
import { mediumOf } from "../../print/medium.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { compatOption, databaseOption } from "../options.ts";
import { subjectOptions, subjectsOf } from "../series-options.ts";

export const log: Verb = {
  name: "log",
  summary: "show the history with its profiles",
  examples: ["perfkeep log --short", "perfkeep log v1.0", "perfkeep log --trend --location sort"],
  operands: [{ name: "[rev]", synopsis: "version to begin at (default: the head)" }],
  options: [
    { flags: "-s, --short", synopsis: "one line a version, as format.shortlog says" },
    { flags: "-n, --limit <count>", synopsis: "at most so many versions" },
    { flags: "--with-profiles", synopsis: "only versions that have profiles" },
    {
      flags: "--trend",
      synopsis: "with sparklines: how what was measured moved up to each version, what changed there first",
    },
    ...subjectOptions.map((option) => ({
      ...option,
      flags: option.flags.replace(/^-\w, /, ""),
      synopsis: `of --trend: ${option.synopsis}`,
    })),
    databaseOption,
    compatOption,
  ],
  formats: ["json", "ndjson"],
  async run(session, args) {
    const [revision, limit] = [args.maybeOperand(0), args.count("limit", 1)];
    refuseStrayTrend(session, args);
    const batches = walkLog(session.workspace, {
      ...(revision === undefined ? {} : { revision }),
      ...(limit === undefined ? {} : { limit }),
      onlyWithProfiles: args.flag("withProfiles"),
    });
    if (session.format === "json") await printJson(session, batches);
    else if (session.format === "ndjson")
      await eachBatch(batches, (batch) =>
        session.output.data(batch.map((entry) => `${JSON.stringify(jsonEntry(entry))}\n`).join("")),
      );
    else await printText(session, batches, args);
    return 0;
  },
};

/** Options of trends belong to --trend, which is for people: data of trends are those of `perfkeep trend`. */
function refuseStrayTrend({ format }: Session, args: Arguments): void {
  const refuse = (what: string, instead: string): never => {
    throw new Failure("unusable-combination", { what, instead });
  };
  if (args.flag("trend")) {
    if (format !== "text") refuse(`--trend with --format ${format}`, `perfkeep trend --format json has them`);
    if (args.text("compat") !== undefined) refuse("--trend with --compat", "leave one of them out");
    return;
  }
  const names = ["experiment", "result", "by", "where", "collector", "cmd", "location", "db"];
  const stray = names.find((name) => args.texts(name).length > 0);
  if (stray !== undefined) refuse(`--${stray} without --trend`, "add --trend");
}

async function printText(
  session: Session,
  batches: AsyncIterable<readonly LogEntry[]>,
  args: Arguments,
): Promise<void> {
  const { output, workspace } = session;
  const short = args.flag("short");
  const format = (await workspace.config()).text("format.shortlog");
  const isTrendToken = short && args.text("compat") === undefined && format.includes("%trend%");
  const trend = args.flag("trend") || isTrendToken ? await trendsFor(session, args) : undefined;
  if (await workspace.usesPager("log")) output.page();
  const medium = await mediumOf(session, args.text("compat"));
  if (short) {
    const entries: LogEntry[] = [];
    await eachBatch(batches, (batch) => entries.push(...batch));
    const shape = trend === undefined || isTrendToken ? format : `${format} %trend%`;
    return output.data(shortLog(entries, shape, medium, trend));
  }
  return eachBatch(batches, (batch) =>
    output.data(batch.map((entry) => longEntry(entry, medium, trend?.lines(entry, medium))).join("")),
  );
}

/** Most logs need nothing of series. */
async function trendsFor(session: Session, args: Arguments): Promise<LogTrends> {
  const { logTrends } = await import("../../print/profiles/log-trend.ts");
  const found = await logTrends(session.workspace, subjectsOf(args), args.maybeOperand(0), version);
  for (const note of found.notes) session.output.note(terminalText(note));
  return found;
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

async function eachBatch(
  batches: AsyncIterable<readonly LogEntry[]>,
  action: (batch: readonly LogEntry[]) => void,
): Promise<void> {
  for await (const batch of batches) action(batch);
}

function jsonEntry({ version, profiles, changes }: LogEntry): object {
  const { id, parents, author, email, date, description } = version;
  return { checksum: id, parents, author, email, date: isoTime(date), description, profiles, changes };
}
