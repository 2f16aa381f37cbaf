import type { JSX } from "preact";
import type { ProfileLine } from "../../src/core/pages/source.ts";
import { timeText } from "../numbers.ts";
import { href } from "../route.ts";
import { Text } from "../text.tsx";

/** The profiles of a version, each with a way to look into it. */
export function ProfileTable({
  of,
  version,
}: {
  readonly of: readonly ProfileLine[];
  readonly version: string;
}): JSX.Element {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Profiles">
      <table>
        <thead>
          <tr>
            <th scope="col">profile</th>
            <th scope="col">type</th>
            <th scope="col">collector</th>
            <th scope="col" class="spare">
              command
            </th>
            <th scope="col" class="spare">
              workload
            </th>
            <th scope="col" class="spare">
              time
            </th>
          </tr>
        </thead>
        <tbody>
          {of.map((line) => (
            <tr key={`${line.object} ${line.name}`}>
              <td>
                <a href={href("profiles", "", { version, object: line.object })}>
                  <Text of={line.name} short={100} />
                </a>
              </td>
              <td>
                <Text of={line.type} short={40} />
              </td>
              <td>
                <Text of={line.collector} short={40} />
              </td>
              <td class="spare">
                <Text of={line.cmd} short={80} code />
              </td>
              <td class="spare">
                <Text of={line.workload} short={60} />
              </td>
              <td class="spare">{timeText(line.time)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
