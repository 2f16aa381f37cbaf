import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Text } from "./text.tsx";

/** What became of a question to the source. */
export type Answer<Value> =
  | { readonly state: "waiting" }
  | { readonly state: "failed"; readonly message: string }
  | { readonly state: "there"; readonly value: Value };

/** Asks when one of `of` changes; an answer that comes after the next question was asked is dropped. */
export function useAnswer<Value>(ask: () => Promise<Value>, of: readonly unknown[]): Answer<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>({ state: "waiting" });
  useEffect(() => {
    let isWanted = true;
    const tell = (next: Answer<Value>): void => {
      if (isWanted) setAnswer(next);
    };
    setAnswer((before) => (before.state === "there" ? before : { state: "waiting" }));
    ask().then(
      (value) => tell({ state: "there", value }),
      (error: unknown) => tell({ state: "failed", message: messageOf(error) }),
    );
    return () => {
      isWanted = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the caller says what the question depends on
  }, of);
  return answer;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Shows an answer, or that it is waited for, or why there is none. */
export function Answered<Value>({ of, what, children }: AnsweredProps<Value>): JSX.Element {
  if (of.state === "waiting") return <p class="waiting">Reading {what} …</p>;
  if (of.state === "failed") return <Failed message={of.message} />;
  return <>{children(of.value)}</>;
}

interface AnsweredProps<Value> {
  readonly of: Answer<Value>;
  /** `profiles`: what is waited for. */
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
