import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { isLoopback } from "../../../workspace/serve/host-names.ts";
import type { Interrupts } from "../../../workspace/processes/process-group.ts";
import type { Arguments } from "../../arguments.ts";
import { reportFailure } from "../../failure-line.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { pageOptions, pageOptionsOf, pageWordsOf } from "./report.ts";

export const serve: Verb = {
  name: "serve",
  summary: "show all of it in the browser, as it is now",
  details: [
    "The pages of report with what only a running program can do: any two profiles compared, every view of every profile, queries built by",
    "clicking, mining, decisions written into perfkeep.triage. They follow what is measured and imported meanwhile.",
    "",
    "The address that is printed lets in whoever has it; only programs of this machine can reach it (docs/serve.md). It ends with Ctrl-C.",
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
    const place = placeOf(args);
    const [{ LivePages }, { liveAnswers }, { startServer }, { processInterrupts }, { runOwnProgram }] =
      await Promise.all([
        import("../../../commands/dashboard/live-pages.ts"),
        import("../../../commands/dashboard/request-handlers.ts"),
        import("../../../workspace/serve/server.ts"),
        import("../../../workspace/processes/process-group.ts"),
        import("../../../workspace/serve/spawn-self.ts"),
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

function placeOf(args: Arguments): Place {
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
  const { openInBrowser } = await import("../../../workspace/serve/open-in-browser.ts");
  if (!(await openInBrowser(session.workspace.shell(), address)))
    session.output.note("there is no program to open a browser with: open the address yourself");
}
