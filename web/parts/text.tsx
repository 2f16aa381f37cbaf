import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
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

/**
 * The name of a row in at most two lines. A longer name loses its middle, because names of a list differ most at the
 * end. On narrow screens `metric` follows, which has no column there.
 */
export function RowName({ of, metric }: { readonly of: string; readonly metric: string }): JSX.Element {
  const whole = shown(withoutColumnName(of));
  const isNarrow = useNarrow();
  const text = withoutMiddle(whole, isNarrow ? 26 : 90);
  return (
    <span class="row-name">
      <bdi class="untrusted" title={text === whole ? undefined : whole}>
        {text}
      </bdi>
      {isNarrow && (
        <span class="quiet">
          {" "}
          <Text of={metric} short={18} />
        </span>
      )}
    </span>
  );
}

/** `benchmark=parse n=8` in a column of benchmarks. */
export function withoutColumnName(benchmark: string): string {
  return benchmark.replace(/(^| )benchmark=(?=\S)/, "$1");
}

function withoutMiddle(text: string, length: number): string {
  const letters = [...text];
  if (letters.length <= length) return text;
  const head = Math.floor(length * 0.3);
  return `${letters.slice(0, head).join("")}…${letters.slice(letters.length - (length - head - 1)).join("")}`;
}

const narrowScreens = window.matchMedia("(max-width: 760px)");

/** Whether optional columns are hidden. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(narrowScreens.matches);
  useEffect(() => {
    const change = (): void => setNarrow(narrowScreens.matches);
    narrowScreens.addEventListener("change", change);
    return () => narrowScreens.removeEventListener("change", change);
  }, []);
  return narrow;
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
