import type { JSX } from "preact";
import type { PageProps } from "../page-props.ts";
import { Text } from "../text.tsx";

/** What the newest measured version was measured on. */
export function EnvironmentPage({ overview }: PageProps): JSX.Element {
  return (
    <>
      <h1>Environment</h1>
      <p class="lead">What the newest measured version was measured on.</p>
      {overview.environment.length === 0 && <p>Nothing is known about it.</p>}
      <dl class="facts">
        {overview.environment.flatMap(([name, value], i) => [
          <dt key={`n${i}`}>
            <Text of={name} short={80} />
          </dt>,
          <dd key={`v${i}`}>
            <Text of={value} />
          </dd>,
        ])}
      </dl>
    </>
  );
}
