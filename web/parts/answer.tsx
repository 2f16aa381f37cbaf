import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Text } from "./text.tsx";

/** State of an asynchronous load. */
export type LoadState<Value> =
  | { readonly state: "waiting" }
  | { readonly state: "failed"; readonly message: string }
  | { readonly state: "there"; readonly value: Value };

/** Loads when one of `of` changes; results of superseded loads are dropped. */
export function useLoaded<Value>(load: () => Promise<Value>, of: readonly unknown[]): LoadState<Value> {
  const [answer, setAnswer] = useState<LoadState<Value>>({ state: "waiting" });
  useEffect(() => {
    let isCurrent = true;
    const update = (next: LoadState<Value>): void => {
      if (isCurrent) setAnswer(next);
    };
    setAnswer((before) => (before.state === "there" ? before : { state: "waiting" }));
    load().then(
      (value) => update({ state: "there", value }),
      (error: unknown) => update({ state: "failed", message: messageOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the caller passes the dependencies
  }, of);
  return answer;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Shows the loaded value, a progress text or the error. */
export function Loaded<Value>({ of, what, children }: LoadedProps<Value>): JSX.Element {
  if (of.state === "waiting") return <p class="waiting">Loading {what} …</p>;
  if (of.state === "failed") return <Failed message={of.message} />;
  return <>{children(of.value)}</>;
}

interface LoadedProps<Value> {
  readonly of: LoadState<Value>;
  /** What is loaded, for the progress text: `profiles`. */
  readonly what: string;
  readonly children: (value: Value) => ComponentChildren;
}

export function Failed({ message }: { readonly message: string }): JSX.Element {
  return (
    <p class="failed" role="alert">
      <Text of={message} />
    </p>
  );
}
