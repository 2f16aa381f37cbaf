import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { isLoopback } from "../../../workspace/serve/access.ts";
import type { Interrupts } from "../../../workspace/processes/process-group.ts";
import { reportFailure } from "../../failure-line.ts";
import type { PageOptions } from "../../../commands/report/page-data.ts";
import { counted } from "../../../core/text/plural.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import type { Block, Figure, TableBlock } from "../../../core/figures/figure.ts";
import type { ChangeLine, Overview } from "../../../core/pages/overview.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/figure.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { databaseOf, databaseOption } from "../options.ts";
import { detectorOptions, judgingOf } from "../series-options.ts";

const head: TableBlock["head"] = [
  { label: "verdict", align: "left", whole: true },
  { label: "benchmark", align: "left" },
  { label: "metric", align: "left" },
  { label: "change", align: "right" },
  { label: "since", align: "left", whole: true },
  { label: "subject", align: "left", spare: true },
  { label: "triage", align: "left", spare: true },
];

/** What a report begins with, for those who read it in a terminal; at most `limit` changes. */
function overviewFigure({ project, range, totals, words, changes, experiments }: Overview, limit: number): Figure {
  const told = changes.filter(({ word }) => word === "worse" || word === "better").slice(0, limit);
  const measured = [
    `${project}${range === "" ? "" : ` ${range}`}: ${counted(totals.versions, "version")}, ${totals.measured} of them with profiles`,
    `${counted(totals.profiles, "profile")}, ${counted(totals.experiments, "experiment")} with ${counted(totals.runs, "run")}: ${counted(totals.series, "series", "series")} of ${counted(totals.points, "point")}`,
    `${words.worse} worse, ${words.better} better, ${words.same} the same, ${words.inconclusive} inconclusive`,
  ];
  const table: Block[] = told.length === 0 ? [] : [{ kind: "table", head, rows: told.map(cellsOf) }];
  const lines = experiments.map(
    ({ name, runs, synopsis }) => `${name}: ${counted(runs, "run")}${synopsis === "" ? "" : `, ${synopsis}`}`,
  );
  const more: Block[] = lines.length === 0 ? [] : [{ kind: "text", text: lines.join("\n") }];
  return { title: "", blocks: [{ kind: "text", text: measured.join("\n") }, ...table, ...more] };
}

function cellsOf({ word, benchmark, metric, delta, since, triage }: ChangeLine): string[] {
  const change = delta === null ? "" : `${delta < 0 ? "-" : "+"}${Math.abs(delta * 100).toFixed(1)} %`;
  return [
    word,
    benchmark,
    metric,
    change,
    since === null ? "" : abbreviate(since.after),
    since?.subject ?? "",
    triage ?? "",
  ];
}

/** Changes that people are shown in the terminal. */
const shownToPeople = 20;

/** Which history pages show, and how changes are looked for. */
export const pageOptions: readonly OptionSpec[] = [
  { flags: "--since <time>", synopsis: "only changes of versions that were committed then or later, in UTC" },
  { flags: "--location <pattern>", synopsis: "only locations of profiles that the pattern is found in" },
  ...detectorOptions.filter(({ flags }) => !flags.startsWith("--better")),
  {
    flags: "--min-effect <share>",
    synopsis: "changes below this do not count (default: of perfkeep.thresholds.yml, else 1%)",
  },
  { flags: "--no-thresholds", synopsis: "leave perfkeep.thresholds.yml out" },
  { flags: "--fdr <share>", synopsis: "share of false alarms among all changes", default: "0.05" },
  {
    flags: "--any-machine",
    synopsis: "compare values of different machines, too (default: of the newest point's only)",
  },
  { flags: "--no-cache", synopsis: "compute everything again" },
  databaseOption,
];

export const report: Verb = {
  name: "report",
  summary: "write a self-contained HTML report",
  details: [
    "With -o report.html everything is in one file, which opens from the disk and needs no network: what got worse,",
    "better or is uncertain within the range, the history of every number, differences of profiles, experiments with",
    "their plots. Without it the overview is printed.",
  ].join("\n"),
  examples: [
    "perfkeep report -o report.html",
    "perfkeep report v1.0..HEAD -o report.html",
    "perfkeep report --format json",
  ],
  operands: [{ name: "[range]", synopsis: "versions that count, A..B or one (default: all up to the head)" }],
  options: [
    ...pageOptions,
    { flags: "--title <text>", synopsis: "title of the page (default: the project and the range)" },
    { flags: "--differences <count>", synopsis: "differences of profiles next to the greatest changes", default: "20" },
    { flags: "--profiles <count>", synopsis: "profiles of the newest version that are drawn", default: "10" },
  ],
  formats: ["json", "markdown", "html"],
  async run(session, args) {
    const { cachedPages: knownPages } = await import("../../../commands/dashboard/cached-pages.ts");
    const data = await knownPages(session.workspace, pageOptionsOf(args));
    const { overview } = data;
    for (const note of overview.notes) session.output.note(terminalText(note));
    if (session.format === "html") await writePage(session, data, args);
    else if (session.format === "json") session.output.data(`${JSON.stringify(overview)}\n`);
    else session.output.data(await renderFigure(session, overviewFigure(overview, shownToPeople), session.format));
    return 0;
  },
};

/** What `pageOptions` and the range say. */
export function pageOptionsOf(args: Arguments): PageOptions {
  const { of: _, ...judging } = judgingOf(args, {});
  const location = args.text("location");
  return {
    ...judging,
    ...(location === undefined ? {} : { location }),
    thresholds: args.flag("thresholds"),
    keeps: args.flag("cache"),
    program: version,
    ...databaseOf(args),
  };
}

/** The same as words of a command line. */
export function pageWordsOf(args: Arguments): string[] {
  const range = args.maybeOperand(0);
  return [
    ...pageOptions.flatMap(({ flags }) => optionWords(args, flags)),
    ...(range === undefined ? [] : ["--", range]),
  ];
}

function optionWords(args: Arguments, flags: string): string[] {
  const [, no, name = "", value] = /^--(no-)?([\w-]+)( <.*)?$/.exec(flags) ?? [];
  const key = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (value !== undefined) return args.texts(key).map((text) => `--${name}=${text}`);
  return args.flag(key) === (no === undefined) ? [`--${no ?? ""}${name}`] : [];
}

type PageData = Awaited<ReturnType<(typeof import("../../../commands/dashboard/cached-pages.ts"))["cachedPages"]>>;

async function writePage(session: Session, data: PageData, args: Arguments): Promise<void> {
  const { reportPage } = await import("../../../commands/report/report.ts");
  const { project, range } = data.overview;
  const title = args.text("title") ?? [project, range].filter((word) => word !== "").join(" ");
  const limits = { differences: args.count("differences", 0) ?? 0, profiles: args.count("profiles", 0) ?? 0 };
  let bytes = 0;
  for await (const piece of reportPage(session.workspace, data, { title, ...limits, ...databaseOf(args) })) {
    session.output.data(piece);
    bytes += piece.length;
  }
  session.output.note(`${(bytes / 1e6).toFixed(1)} MB, ${data.overview.totals.series} series`);
}

export const serve: Verb = {
  name: "serve",
  summary: "serve a live dashboard",
  details: [
    "The pages of report with what only a running program can do: any two profiles compared, every view of every",
    "profile, queries built by clicking, mining, decisions written into perfkeep.triage. They follow what is measured",
    "and imported meanwhile.",
    "",
    "The address that is printed lets in whoever has it; only programs of this machine can reach it (docs/serve.md).",
    "It ends with Ctrl-C.",
  ].join("\n"),
  examples: ["perfkeep serve", "perfkeep serve --open", "perfkeep serve v1.0..HEAD --port 8080"],
  operands: [{ name: "[range]", synopsis: "versions that count, A..B or one (default: all up to the head)" }],
  options: [
    { flags: "--port <number>", synopsis: "where to listen (default: any port that is free)" },
    { flags: "--host <address>", synopsis: "address to listen on", default: "127.0.0.1" },
    { flags: "--allow-remote", synopsis: "let --host name an address that other machines can reach" },
    { flags: "--open", synopsis: "open the browser" },
    ...pageOptions,
  ],
  async run(session, args) {
    const place = listenAddressOf(args);
    const [{ LivePages }, { liveAnswers }, { startServer }, { processInterrupts }, { runSelf: runOwnProgram }] =
      await Promise.all([
        import("../../../commands/dashboard/live-pages.ts"),
        import("../../../commands/dashboard/request-handlers.ts"),
        import("../../../workspace/serve/server.ts"),
        import("../../../workspace/processes/process-group.ts"),
        import("../../../workspace/serve/subprocesses.ts"),
      ]);
    const ended = interrupted(processInterrupts);
    const options = pageOptionsOf(args);
    const words = ["report", "-q", "--format=json", ...pageWordsOf(args)];
    const maker = (stopped: AbortSignal): Promise<void> => runOwnProgram(session.world, words, stopped);
    const pages = await LivePages.open(session.workspace, options, options.keeps ? maker : undefined);
    const failed = (error: unknown): void => session.output.error(reportFailure(error, "perfkeep", false, false).line);
    const server = await startServer(place, liveAnswers(pages, failed));
    // The first page finds it made; what goes wrong with it is told there.
    pages.data().catch(() => {});
    tell(session, server.address, place.host);
    if (args.flag("open")) await openBrowser(session, server.address);
    await ended;
    pages.end();
    await server.close();
    return exitStatus.fine;
  },
};

interface Place {
  readonly host: string;
  readonly port: number;
}

function listenAddressOf(args: Arguments): Place {
  const host = args.text("host") ?? "127.0.0.1";
  const port = args.count("port", 0) ?? 0;
  if (port > 65_535)
    throw new Failure("bad-option", { option: "--port", value: String(port), expected: "a port, 0 to 65535" });
  if (!isLoopback(host) && !args.flag("allowRemote")) throw new Failure("not-loopback", { host });
  return { host, port };
}

function tell(session: Session, address: string, host: string): void {
  const { output } = session;
  output.data(`${output.toTerminal ? `\u001B]8;;${address}\u001B\\${address}\u001B]8;;\u001B\\` : address}\n`);
  if (!isLoopback(host))
    session.world.warn?.(
      `other machines can reach ${terminalText(host)}: whoever has this address, which travels in the clear, can read everything`,
    );
  output.note("Ctrl-C ends it.");
}

/** The second request is left to the system, which ends the process. */
function interrupted(interrupts: Interrupts): Promise<void> {
  return new Promise((resolve) => {
    const ignore = interrupts(() => {
      ignore();
      resolve();
    });
  });
}

async function openBrowser(session: Session, address: string): Promise<void> {
  const { openInBrowser } = await import("../../../workspace/serve/subprocesses.ts");
  if (!(await openInBrowser(session.workspace.shell(), address)))
    session.output.note("there is no program to open a browser with: open the address yourself");
}
