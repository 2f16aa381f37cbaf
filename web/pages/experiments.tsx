import type { JSX } from "preact";
import { countText } from "../numbers.ts";
import type { PageProps } from "../page-props.ts";
import { href } from "../route.ts";
import { Text } from "../text.tsx";

/** All experiments. */
export function ExperimentsPage({ overview }: PageProps): JSX.Element {
  return (
    <>
      <h1>Experiments</h1>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Experiments">
        <table>
          <thead>
            <tr>
              <th scope="col">experiment</th>
              <th scope="col">what it is</th>
              <th scope="col" class="number">
                runs
              </th>
              <th scope="col" class="number">
                data sets
              </th>
            </tr>
          </thead>
          <tbody>
            {overview.experiments.map(({ name, synopsis, runs, dataSets }) => (
              <tr key={name}>
                <td>
                  <a href={href("experiments", name)}>
                    <Text of={name} short={120} />
                  </a>
                </td>
                <td>
                  <Text of={synopsis} short={300} />
                </td>
                <td class="number">{countText(runs)}</td>
                <td class="number">{countText(dataSets)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
