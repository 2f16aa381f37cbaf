import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { isLoopback } from "../../../workspace/serve/index.ts";
import type { Interrupts } from "../../../workspace/processes/index.ts";
import { reportFailure } from "../../failure-line.ts";
import { groupText } from "../../../commands/verdicts/index.ts";
import { atomFeed, type PageOptions } from "../../../commands/report/index.ts";
import { counted, sharedWords, terminalText } from "../../../core/text/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import type { Block, Figure, TableBlock } from "../../../core/figures/index.ts";
import type { ChangeLine, Overview } from "../../../core/pages/index.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { databaseOf, databaseOption } from "../options.ts";
import { detectorOptions, seriesOptionsOf } from "../series-options.ts";

const head: TableBlock["head"] = [
  { label: "verdict", align: "left", whole: true },
  { label: "benchmark", align: "left" },
  { label: "metric", align: "left" },
  { label: "change", align: "right" },
  { label: "since", align: "left", whole: true },
  { label: "subject", align: "left", spare: true },
  { label: "triage", align: "left", spare: true },
];

/** The overview of a report as text, with at most `limit` changes. */
function overviewFigure(
  { project, range, totals, outcomes: words, unjudged, changes, groups, experiments }: Overview,
  limit: number,
): Figure {
  const shown = changes.filter(({ outcome: word }) => word === "worse" || word === "better").slice(0, limit);
  const commits = `${counted(totals.commits, "commit")}, ${totals.measured} measured`;
  const runs = `${counted(totals.experiments, "experiment")} with ${counted(totals.runs, "run")}`;
  const series = `${counted(totals.series, "series", "series")} of ${counted(totals.points, "point")}`;
  const measured = [
    `${project}${range === "" ? "" : ` ${range}`}: ${commits}`,
    `${counted(totals.profiles, "profile")}, ${runs}: ${series}`,
    [
      `${words.worse} worse, ${words.better} better, ${words.same} the same, ${words.inconclusive} inconclusive`,
      ...(unjudged === 0 ? [] : [`${unjudged} of them without enough points`]),
    ].join(", "),
  ];
  const { shared, ownPart } = sharedWords(shown.map(({ benchmark }) => benchmark));
  const rows = shown.map((line) => cellsOf({ ...line, benchmark: ownPart(line.benchmark) }));
  const table: Block[] = rows.length === 0 ? [] : [{ kind: "table", head, rows }];
  const common: Block[] = shared === "" ? [] : [{ kind: "text", text: `shared by all rows: ${shared}` }];
  const causes = groups.map(groupText).join("\n");
  const together: Block[] = causes === "" ? [] : [{ kind: "text", text: causes }];
  const lines = experiments.map(
    ({ name, runs, synopsis }) => `${name}: ${counted(runs, "run")}${synopsis === "" ? "" : `, ${synopsis}`}`,
  );
  const more: Block[] = lines.length === 0 ? [] : [{ kind: "text", text: lines.join("\n") }];
  return {
    title: "",
    blocks: [{ kind: "text", text: measured.join("\n") }, ...common, ...table, ...together, ...more],
  };
}

function cellsOf({ outcome: word, benchmark, metric, delta, since, triage }: ChangeLine): string[] {
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

/** Changes in the overview as text. */
const maxChanges = 20;

/** Options of reports and dashboards. */
export const pageOptions: readonly OptionSpec[] = [
  { flags: "--since <time>", synopsis: "only changes in commits at or after this time (UTC)" },
  { flags: "--location <pattern>", synopsis: "only profile locations that match this pattern" },
  ...detectorOptions.filter(({ flags }) => !flags.startsWith("--better")),
  {
    flags: "--min-effect <share>",
    synopsis: "ignore smaller changes (default: from perfkeep.thresholds.yml, else 1%)",
  },
  { flags: "--no-thresholds", synopsis: "ignore perfkeep.thresholds.yml", advanced: true },
  { flags: "--fdr <share>", synopsis: "false-discovery rate of all changes", default: "0.05", advanced: true },
  {
    flags: "--any-machine",
    synopsis: "include values of other machines than that of the newest point",
    advanced: true,
  },
  { flags: "--no-cache", synopsis: "ignore cached results", advanced: true },
  databaseOption,
];

export const report: Verb = {
  name: "report",
  summary: "write a self-contained HTML report",
  details: [
    "With -o report.html, writes everything to one file that needs no network: changes in the range, the history of",
    "every metric, profile differences, experiments with their plots. Without -o, prints an overview.",
  ].join("\n"),
  examples: [
    "perfkeep report -o report.html",
    "perfkeep report v1.0..HEAD -o report.html",
    "perfkeep report -o changes.atom",
    "perfkeep report --format json",
  ],
  operands: [{ name: "[range]", synopsis: "commits to report, A..B or one (default: all up to HEAD)" }],
  options: [
    ...pageOptions,
    { flags: "--title <text>", synopsis: "title of the page (default: project and range)" },
    {
      flags: "--differences <count>",
      synopsis: "number of profile differences, for the largest changes",
      default: "20",
    },
    { flags: "--profiles <count>", synopsis: "number of charts of profiles of the newest commit", default: "10" },
  ],
  formats: ["json", "markdown", "html", "atom"],
  async run(session, args) {
    const { cachedPages: knownPages } = await import("../../../commands/dashboard/cached-pages.ts");
    const data = await knownPages(session.workspace, pageOptionsOf(args));
    const { overview } = data;
    for (const note of overview.notes) session.output.note(note);
    if (session.format === "html") await writePage(session, data, args);
    else if (session.format === "atom") session.output.data(atomFeed(overview));
    else if (session.format === "json") session.output.data(`${JSON.stringify(overview)}\n`);
    else session.output.data(await renderFigure(session, overviewFigure(overview, maxChanges), session.format));
    return 0;
  },
};

/** The values of `pageOptions` and the range. */
export function pageOptionsOf(args: Arguments): PageOptions {
  const { of: _, ...judging } = seriesOptionsOf(args, {});
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

/** The same as command-line arguments. */
export function pageWordsOf(args: Arguments): string[] {
  const range = args.optionalOperand(0);
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
    "Serves the pages of the report and interactive tools: comparison of any two profiles, all views of all profiles,",
    "a query builder, mining, triage decisions written to perfkeep.triage. Pages follow new measurements and imports.",
    "",
    "Anyone with the printed address has access; only programs on this machine can reach it (docs/serve.md). Press",
    "Ctrl-C to stop.",
  ].join("\n"),
  examples: ["perfkeep serve", "perfkeep serve --open", "perfkeep serve v1.0..HEAD --port 8080"],
  operands: [{ name: "[range]", synopsis: "commits to report, A..B or one (default: all up to HEAD)" }],
  options: [
    { flags: "--port <number>", synopsis: "port to listen on (default: any free port)" },
    { flags: "--host <address>", synopsis: "address to listen on", default: "127.0.0.1" },
    { flags: "--allow-remote", synopsis: "allow a --host that other machines can reach" },
    { flags: "--open", synopsis: "open the dashboard in a browser" },
    ...pageOptions,
  ],
  async run(session, args) {
    const listen = listenAddressOf(args);
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
    const render = (stopped: AbortSignal): Promise<void> => runOwnProgram(session.world, words, stopped);
    const pages = await LivePages.open(session.workspace, options, options.keeps ? render : undefined);
    const failed = (error: unknown): void => session.output.error(reportFailure(error, "perfkeep", false, false).line);
    const server = await startServer(listen, liveAnswers(pages, failed));
    // Starts computing the first page, which reports errors itself.
    pages.data().catch(() => {});
    printAddress(session, server.address, listen.host);
    if (args.flag("open")) await openBrowser(session, server.address);
    await ended;
    pages.end();
    await server.close();
    return exitStatus.fine;
  },
};

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

function listenAddressOf(args: Arguments): ListenAddress {
  const host = args.text("host") ?? "127.0.0.1";
  const port = args.count("port", 0) ?? 0;
  if (port > 65_535)
    throw new Failure("bad-option", { option: "--port", value: String(port), expected: "a port, 0 to 65535" });
  if (!isLoopback(host) && !args.flag("allowRemote")) throw new Failure("not-loopback", { host });
  return { host, port };
}

function printAddress(session: Session, address: string, host: string): void {
  const { output } = session;
  output.data(`${output.toTerminal ? `\u001B]8;;${address}\u001B\\${address}\u001B]8;;\u001B\\` : address}\n`);
  if (!isLoopback(host))
    session.world.warn?.(
      `other machines can reach ${terminalText(host)}: anyone with this address, sent unencrypted, can read all data`,
    );
  output.note("Press Ctrl-C to stop.");
}

/** Resolves on the first interrupt; the second one terminates the process. */
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
    session.output.note("no program to open a browser found: open the address yourself");
}
