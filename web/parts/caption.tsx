import type { JSX } from "preact";
import { Text } from "./text.tsx";

/** The caption of a block; nothing if it is empty. */
export function Caption({ of = "" }: { readonly of?: string | undefined }): JSX.Element | null {
  if (of === "") return null;
  return (
    <figcaption>
      <Text of={of} short={300} />
    </figcaption>
  );
}
