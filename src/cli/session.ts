import { Failure } from "../core/failures/index.ts";
import { splitCommand } from "../core/text/index.ts";
import type { Values } from "../core/values/index.ts";
import { rebuildDamaged } from "../commands/maintenance/index.ts";
import { writeForGroup } from "../workspace/config/index.ts";
import { Workspace, type World } from "../workspace/workspace.ts";
import { formatOf, hasBackground } from "./output-format.ts";
import { Output, type Streams } from "./output.ts";

type Environment = World["environment"];

/** The first version of each terminal that supports links; older ones show escapes or crash. */
const firstVersions: Readonly<Record<string, readonly [major: number, minor: number]>> = {
  "iTerm.app": [3, 1],
  WezTerm: [20_200_620, 0],
  vscode: [1, 72],
  ghostty: [0, 0],
  Hyper: [0, 0],
  zed: [0, 0],
  rio: [0, 0],
  mintty: [3, 1],
};

/** Whether to print OSC 8 links: by NO_HYPERLINK and FORCE_HYPERLINK, else on terminals known to support them. */
export function showsHyperlinks(environment: Environment, isTerminal: boolean): boolean {
  const { NO_HYPERLINK, NO_HYPERLINKS, FORCE_HYPERLINK, TERM = "", TERM_PROGRAM = "" } = environment;
  if (NO_HYPERLINK || NO_HYPERLINKS) return false;
  if (FORCE_HYPERLINK) return FORCE_HYPERLINK !== "0";
  if (!isTerminal || TERM === "dumb" || TERM === "linux" || environment["CI"]) return false;
  if (
    environment["WT_SESSION"] ||
    environment["DOMTERM"] ||
    environment["KITTY_WINDOW_ID"] ||
    environment["KONSOLE_VERSION"]
  )
    return true;
  if (/^(?:xterm-(?:kitty|ghostty)|alacritty|foot|contour|wezterm)/.test(TERM)) return true;
  if (isLibVte(environment["VTE_VERSION"] ?? "")) return true;
  const first = Object.hasOwn(firstVersions, TERM_PROGRAM) ? firstVersions[TERM_PROGRAM] : undefined;
  return first !== undefined && isSince(environment["TERM_PROGRAM_VERSION"] ?? "", first);
}

/** VTE 0.50.0 crashes on links; `5202` is 0.52.2. */
function isLibVte(version: string): boolean {
  const [, major = "0", minor = "0"] = /^(\d{1,3})\.(\d{1,3})/.exec(version) ?? [];
  const number = /^\d{3,5}$/.test(version) ? Number(version) : Number(major) * 10_000 + Number(minor) * 100;
  return number > 5000;
}

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, own = "0", below = "0"] = /^(\d{1,9})(?:[.-](\d{1,9}))?/.exec(version) ?? [];
  return Number(own) > major || (Number(own) === major && Number(below) >= minor);
}

/** The context of one command: workspace, output and general options. */
export class Session {
  readonly world: World;
  readonly streams: Streams;
  output: Output;
  format = "text";
  /** `--dark`. */
  dark = false;
  /** Values of `--format-opt`. */
  formatValues: Values = new Map();
  /** The name of the front end, a prefix of messages. */
  program = "perfkeep";
  /** Answer yes to questions about ambiguous profiles; not to those about running commands. */
  assumesYes = false;
  /** Clean up after killed commands at the end of this one; false for completion. */
  cleansUp = true;
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

  /** Opened lazily. */
  get workspace(): Workspace {
    if (this.#workspace) return this.#workspace;
    this.#workspace = new Workspace(this.world, undefined, rebuildDamaged);
    if (this.#workspace.hasInstance()) writeForGroup(this.#workspace.perun());
    return this.#workspace;
  }

  /** The workspace of a new instance. */
  workspaceAt(directory: string): Workspace {
    return new Workspace({ ...this.world, directory });
  }

  get hasTerminal(): boolean {
    return process.stdin.isTTY === true && this.streams.stderr.isTTY === true;
  }

  /** Applies the general options; called once, before the verb runs. `formats` are those other than text. */
  configured(
    options: Readonly<Record<string, unknown>>,
    formats: readonly string[],
    formatValues: Values = new Map(),
  ): this {
    this.formatValues = formatValues;
    this.dark = options.dark === true;
    const file = formats.length > 0 && typeof options.output === "string" ? options.output : undefined;
    this.format = typeof options.format === "string" ? options.format : formatOf(file, formats);
    if (this.dark && !hasBackground(this.format))
      throw new Failure("unusable-combination", {
        what: `--dark with ${this.format}`,
        instead: "select a picture or page with -o or --format",
      });
    this.output = new Output(this.streams, {
      file,
      quiet: options.quiet === true,
      verbose: options.verbose === true,
      color: this.#colors(options.color),
      hyperlinks: this.#hyperlinks(options.hyperlinks, file),
      pager: options.pager === false ? undefined : this.#pager(),
      terminal: this.format === "text" ? "styled" : /json/.test(this.format) ? "json" : "plain",
    });
    return this;
  }

  /** Whether output can contain non-ASCII characters: always, except on terminals without UTF-8. */
  get unicode(): boolean {
    const { LC_ALL, LC_CTYPE, LANG, TERM } = this.world.environment;
    const locale = LC_ALL || LC_CTYPE || LANG || "";
    return !this.output.toTerminal || (TERM !== "dumb" && (locale === "" || /utf-?8/i.test(locale)));
  }

  /** Asks a yes-or-no question on the terminal. Fails with `no-terminal`, which suggests `instead`. */
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

  /** Files get no links by default. */
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
