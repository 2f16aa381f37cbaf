import type { JSX } from "preact";
import { FigureView } from "../charts/figure.tsx";
import { usePage } from "../context/page-context.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { Text } from "../parts/text.tsx";

/** The difference of two profiles, by function and as a flame graph. */
export function Difference({ base, target }: { base: string; target: string }): JSX.Element {
  const { source, revision } = usePage();
  const figure = useLoaded(() => source.difference(base, target), [revision, base, target]);
  return (
    <>
      <p class="quiet">
        <Text of={base} short={12} code /> → <Text of={target} short={12} code />
      </p>
      <Loaded of={figure} what="the difference">
        {(drawn) => <FigureView figure={drawn} />}
      </Loaded>
    </>
  );
}
