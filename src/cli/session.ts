import { Failure } from "../core/failures/failure.ts";
import type { Values } from "../core/values/value.ts";
import { splitCommand } from "../core/text/command-line.ts";
import { Workspace, type World } from "../workspace/workspace.ts";
import { showsHyperlinks } from "./hyperlinks.ts";
import { Output, type Streams } from "./output.ts";

/** What one command line has at hand: the workspace it works on and the output it prints to. */
export class Session {
  readonly world: World;
  readonly streams: Streams;
  output: Output;
  format = "text";
  /** Pictures are dark. */
  dark = false;
  /** Options of the renderer that prints figures in that format, as they were given. */
  formatValues: Values = new Map();
  /** The name that messages begin with: that of the front end. */
  program = "perfkeep";
  /** Questions about which profile is meant are answered by yes; never those about running commands. */
  assumesYes = false;
  /** What killed runs left is removed behind a command; completion removes nothing. */
  tidiesUp = true;
  #workspace: Workspace | undefined;

  constructor(world: World, streams: Streams) {
    this.world = world;
    this.streams = streams;
    this.output = new Output(streams, {
      file: undefined,
      quiet: false,
      verbose: false,
      color: false,
      hyperlinks: false,
      pager: undefined,
    });
  }

  /** Opened at the first use: a command that needs none pays for none. */
  get workspace(): Workspace {
    this.#workspace ??= new Workspace(this.world);
    return this.#workspace;
  }

  /** The workspace of an instance that was made just now. */
  workspaceAt(directory: string): Workspace {
    return new Workspace({ ...this.world, directory });
  }

  get hasTerminal(): boolean {
    return process.stdin.isTTY === true && this.streams.stderr.isTTY === true;
  }

  /**
   * Takes the general options of a parsed command line; called once, before the verb runs. `formats`: those it has
   * besides text.
   */
  configured(
    options: Readonly<Record<string, unknown>>,
    formats: readonly string[],
    formatValues: Values = new Map(),
  ): this {
    this.formatValues = formatValues;
    this.dark = options.dark === true;
    const file = formats.length > 0 && typeof options.output === "string" ? options.output : undefined;
    this.format = typeof options.format === "string" ? options.format : formatOf(file, formats);
    if (this.dark && !pictures.includes(this.format))
      throw new Failure("unusable-combination", {
        what: `--dark with ${this.format}`,
        instead: "name a picture or page by -o or --format",
      });
    this.output = new Output(this.streams, {
      file,
      quiet: options.quiet === true,
      verbose: options.verbose === true,
      color: this.#colors(options.color),
      hyperlinks: this.#hyperlinks(options.hyperlinks, file),
      pager: options.pager === false ? undefined : this.#pager(),
    });
    return this;
  }

  /**
   * Whether readers of our text can show more than ASCII: everybody but a terminal whose locale or kind says otherwise.
   */
  get unicode(): boolean {
    const { LC_ALL, LC_CTYPE, LANG, TERM } = this.world.environment;
    const locale = LC_ALL || LC_CTYPE || LANG || "";
    return !this.output.toTerminal || (TERM !== "dumb" && (locale === "" || /utf-?8/i.test(locale)));
  }

  /** Asks a yes-or-no question on the terminal; fails with `no-terminal` and the way out when there is none. */
  async confirm(question: string, instead: string): Promise<boolean> {
    if (!this.hasTerminal) throw new Failure("no-terminal", { question, instead });
    const { askYesNo } = await import("./ask.ts");
    return askYesNo(question, this.streams);
  }

  async close(): Promise<void> {
    await this.output.close();
  }

  #colors(when: unknown): boolean {
    if (when === "always") return true;
    if (when === "never" || this.world.environment["NO_COLOR"]) return false;
    return this.streams.stdout.isTTY === true && this.world.environment["TERM"] !== "dumb";
  }

  /** A file gets none unless they are asked for. */
  #hyperlinks(when: unknown, file: string | undefined): boolean {
    if (when === "always" || when === "never") return when === "always";
    const isTerminal = file === undefined && this.streams.stdout.isTTY === true;
    return showsHyperlinks(this.world.environment, isTerminal);
  }

  #pager(): readonly string[] | undefined {
    const command = this.world.environment["PERFKEEP_PAGER"] ?? this.world.environment["PAGER"] ?? "less";
    return command === "" || command === "cat" ? undefined : splitCommand(command);
  }
}

/** Formats that have a background; others are those of readers of their own. */
const pictures = ["svg", "png", "html"];

const endings: Readonly<Record<string, string>> = {
  md: "markdown",
  html: "html",
  htm: "html",
  gp: "gnuplot",
  plt: "gnuplot",
  tex: "latex",
};

/** The ending that is usual for a format: the first one that stands for it. */
function shortEnding(format: string): string {
  return Object.keys(endings).find((ending) => endings[ending] === format) ?? format;
}

/**
 * The format that the ending of a file's name asks for; text where it asks for none. A picture has to have an ending
 * that is known.
 */
export function formatOf(file: string | undefined, formats: readonly string[]): string {
  const found = formatOfEnding(file, formats);
  if (found !== undefined) return found;
  throw new Failure("unknown-choice", {
    kind: "ending of a picture",
    value: file,
    choices: formats.map((known) => `.${shortEnding(known)}`),
  });
}

/** The same, but nothing for a picture whose ending is not known. */
export function formatOfEnding(file: string | undefined, formats: readonly string[]): string | undefined {
  const ending = endingOf(file);
  const format = endings[ending] ?? ending;
  if (formats.includes(format)) return format;
  return file !== undefined && formats.includes("svg") && ending !== "txt" ? undefined : "text";
}

/** In small letters, without the dot. */
export function endingOf(file: string | undefined): string {
  return /\.([A-Za-z0-9]+)$/.exec(file ?? "")?.[1]?.toLowerCase() ?? "";
}
