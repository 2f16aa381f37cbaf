import type { JSX } from "preact";
import { terminalLines, terminalText } from "../../src/core/text/terminal-text.ts";

/** Texts beyond this are cut; the whole stands in files and in `perfkeep`'s own output. */
const longest = 5000;

/**
 * An untrusted text: what is hidden in it is shown, and its direction ends with it. `short`: letters that are enough
 * where room is scarce.
 */
export function Text({
  of,
  short,
  code,
}: {
  readonly of: string;
  readonly short?: number;
  readonly code?: boolean;
}): JSX.Element {
  const whole = shown(of);
  const text = short !== undefined && whole.length > short ? `${whole.slice(0, short)}…` : whole;
  return (
    <bdi class={code === true ? "untrusted code" : "untrusted"} title={text === whole ? undefined : whole}>
      {text}
    </bdi>
  );
}

/** For attributes, options and titles, where there is no element around the text. */
export function shown(text: string): string {
  return terminalText(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** Text of several lines, as it stands. */
export function Lines({ of }: { readonly of: string }): JSX.Element {
  return (
    <pre class="text" tabIndex={0}>
      {terminalLines(of)}
    </pre>
  );
}
