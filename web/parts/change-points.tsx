import type { JSX } from "preact";
import type { VersionColumns } from "../../src/core/pages/index.ts";
import type { DetectedChange } from "../model/change-lines.ts";
import { shortId, valueText } from "../model/number-text.ts";
import { href } from "../context/route.ts";
import type { History } from "../model/series-lines.ts";
import { Text } from "./text.tsx";
import { commitLine } from "../model/commit-lines.ts";
import { Delta } from "./outcome.tsx";

interface ChangePointsProps {
  readonly history: History;
  readonly versions: VersionColumns;
  readonly unit: string;
  /** The detected change at a point. */
  readonly changeAt: (point: number) => DetectedChange | undefined;
  readonly onChoose: (point: number) => void;
}

/** The change points with the values before and after. */
export function ChangePoints({ history, versions, unit, changeAt, onChoose }: ChangePointsProps): JSX.Element {
  if (history.changes.length === 0) return <p class="quiet">No changes detected in this series.</p>;
  return (
    <>
      <h2>Change points</h2>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Change points">
        <table class="narrow">
          <thead>
            <tr>
              <th scope="col">commit</th>
              <th scope="col">subject</th>
              <th scope="col" class="number">
                from
              </th>
              <th scope="col" class="number">
                to
              </th>
              <th scope="col" class="number spare">
                change
              </th>
              <th scope="col">
                <span class="unseen">show</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {history.changes.toReversed().map((point) => (
              <ChangeRow
                key={point}
                point={point}
                history={history}
                versions={versions}
                unit={unit}
                changeAt={changeAt}
                onChoose={onChoose}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function ChangeRow({
  point,
  history,
  versions,
  unit,
  changeAt,
  onChoose,
}: ChangePointsProps & { readonly point: number }): JSX.Element {
  const version = commitLine(versions, history.version[point] ?? -1);
  const change = changeAt(point);
  return (
    <tr>
      <td>
        {version === undefined ? (
          "unknown"
        ) : (
          <a class="code" href={href("commits", version.id)}>
            {shortId(version.id)}
          </a>
        )}
      </td>
      <td>{version !== undefined && <Text of={version.subject} short={100} />}</td>
      <td class="number">{valueText(history.center[point - 1] ?? Number.NaN, unit.slice(0, 20))}</td>
      <td class="number">{valueText(history.center[point] ?? Number.NaN, unit.slice(0, 20))}</td>
      <td class="number spare">
        {change !== undefined && <Delta of={change.delta} low={change.low} high={change.high} />}
      </td>
      <td>
        <button type="button" onClick={() => onChoose(point)}>
          show
        </button>
      </td>
    </tr>
  );
}
