import type { JSX } from "preact";
import { Text } from "./text.tsx";

/** What a block of a figure says of itself; nothing where it says nothing. */
export function Caption({ of = "" }: { readonly of?: string | undefined }): JSX.Element | null {
  if (of === "") return null;
  return (
    <figcaption>
      <Text of={of} short={300} />
    </figcaption>
  );
}
