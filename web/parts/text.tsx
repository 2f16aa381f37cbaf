import type { JSX } from "preact";
import { type SharedWords, terminalLines, terminalText } from "../../src/core/text/index.ts";

/** Longer texts are truncated on pages. */
const maxLength = 5000;

/**
 * An untrusted text with control characters made visible and its direction isolated. `short`: maximum number of
 * characters.
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

/** An untrusted text for attributes, options and titles. */
export function shown(text: string): string {
  return terminalText(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
}

/** Preformatted text of several lines. */
export function Lines({ of }: { readonly of: string }): JSX.Element {
  return (
    <pre class="text" tabIndex={0}>
      {terminalLines(of)}
    </pre>
  );
}

/** The words that all names of a list share, above it; nothing if there are none. */
export function SharedWordsLine({ of }: { readonly of: SharedWords }): JSX.Element | null {
  if (of.shared === "") return null;
  return (
    <p class="quiet shared-words">
      Shared by all rows: <Text of={of.shared} short={400} />
    </p>
  );
}
