import type { World } from "../workspace/workspace.ts";

type Environment = World["environment"];

/** The first version of a terminal that shows links, where older ones show their escapes or break. */
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

/**
 * Whether text may hold links of the form OSC 8: NO_HYPERLINK and FORCE_HYPERLINK decide, else only a terminal that is
 * known to show them, by the variables that such terminals set.
 */
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

/** 0.50.0 crashes at links; `5202` is 0.52.2. */
function isLibVte(version: string): boolean {
  const [, major = "0", minor = "0"] = /^(\d{1,3})\.(\d{1,3})/.exec(version) ?? [];
  const number = /^\d{3,5}$/.test(version) ? Number(version) : Number(major) * 10_000 + Number(minor) * 100;
  return number > 5000;
}

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, own = "0", below = "0"] = /^(\d{1,9})(?:[.-](\d{1,9}))?/.exec(version) ?? [];
  return Number(own) > major || (Number(own) === major && Number(below) >= minor);
}
