import { describe, expect, it } from "vitest";
import { showsHyperlinks } from "./session.ts";

describe("hyperlinks", () => {
  it.each([
    { VTE_VERSION: "5202" },
    { VTE_VERSION: "0.60.3" },
    { WT_SESSION: "1" },
    { DOMTERM: "version=1" },
    { KONSOLE_VERSION: "230800" },
    { TERM: "xterm-kitty" },
    { TERM: "alacritty" },
    { TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.4.0" },
    { TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.72.0-insider" },
    { TERM_PROGRAM: "WezTerm", TERM_PROGRAM_VERSION: "20230408-112425-69ae8472" },
    { TERM_PROGRAM: "ghostty", TERM_PROGRAM_VERSION: "1.0" },
  ])("are printed on %j", (environment) => {
    expect(showsHyperlinks({ TERM: "xterm-256color", ...environment }, true)).toBe(true);
    expect(showsHyperlinks({ TERM: "xterm-256color", ...environment }, false)).toBe(false);
    expect(showsHyperlinks({ ...environment, NO_HYPERLINK: "1" }, true)).toBe(false);
    expect(showsHyperlinks({ ...environment, FORCE_HYPERLINK: "0" }, true)).toBe(false);
  });

  it.each([
    {},
    { TERM: "xterm-256color" },
    { TERM: "dumb", VTE_VERSION: "7000" },
    { TERM: "linux", WT_SESSION: "1" },
    { VTE_VERSION: "5000" },
    { VTE_VERSION: "0.48.1" },
    { VTE_VERSION: "no" },
    { TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.0.9" },
    { TERM_PROGRAM: "Apple_Terminal", TERM_PROGRAM_VERSION: "455" },
    { TERM_PROGRAM: "constructor", TERM_PROGRAM_VERSION: "9" },
    { VTE_VERSION: "7000", CI: "true" },
  ])("are not printed on %j", (environment) => expect(showsHyperlinks(environment, true)).toBe(false));

  it("are printed to a pipe if forced", () => expect(showsHyperlinks({ FORCE_HYPERLINK: "1" }, false)).toBe(true));
});
