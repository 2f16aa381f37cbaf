import type { JSX } from "preact";
import type { ChartData, ChartPoint } from "../model/chart-data.ts";
import { pointName } from "../model/chart-state.ts";
import { commitLine } from "../model/commit-lines.ts";
import { dayText, deltaText, shortId, valueText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import { href } from "../context/route.ts";
import { EvidencePanel } from "../parts/point-details.tsx";
import { Text } from "../parts/text.tsx";

interface PinsProps {
  readonly data: ChartData;
  readonly pins: readonly ChartPoint[];
  readonly onRemove: (pin: ChartPoint) => void;
}

/** The pinned points: value, change against the pin of the same series before it, commit and evidence. */
export function Pins({ data, pins, onRemove }: PinsProps): JSX.Element {
  if (pins.length === 0) return <p class="quiet">Click a point, or press Enter, to pin it here.</p>;
  return (
    <ol class="pins" aria-label="Pinned points">
      {pins.map((pin, i) => (
        <Pin
          key={pointName(data, pin)}
          data={data}
          pin={pin}
          before={pins.slice(0, i).findLast(({ line }) => line === pin.line)}
          onRemove={() => onRemove(pin)}
        />
      ))}
    </ol>
  );
}

interface PinProps {
  readonly data: ChartData;
  readonly pin: ChartPoint;
  /** The pin before it of the same series. */
  readonly before: ChartPoint | undefined;
  readonly onRemove: () => void;
}

function Pin({ data, pin, before, onRemove }: PinProps): JSX.Element | null {
  const { live } = usePage().source;
  const own = data.lines[pin.line];
  if (own === undefined) return null;
  const { line, history } = own;
  const value = history.center[pin.slot] ?? Number.NaN;
  const then = before === undefined ? Number.NaN : (history.center[before.slot] ?? Number.NaN);
  const commit = commitLine(data.versions, data.slots[pin.slot] ?? -1);
  return (
    <li>
      <b>
        <Text of={valueText(value, line.unit)} short={30} />
      </b>
      {Number.isFinite(value / then) && (
        <span class="quiet"> ({deltaText(value / then - 1)} against the pin before)</span>
      )}{" "}
      <a href={href("series", line.key)}>
        <Text of={`${line.benchmark} ${line.metric}`} short={100} />
      </a>{" "}
      {commit === undefined ? (
        <span class="quiet">point {pin.slot + 1}</span>
      ) : (
        <>
          at{" "}
          <a class="code" href={href("commits", commit.id)}>
            {shortId(commit.id)}
          </a>{" "}
          <Text of={commit.subject} short={80} /> <span class="quiet">{dayText(commit.date)}</span>
        </>
      )}{" "}
      <button type="button" onClick={onRemove}>
        Unpin
      </button>
      {live !== undefined && commit !== undefined && (
        <EvidencePanel source={live} series={line.index} version={commit.index} id={commit.id} />
      )}
    </li>
  );
}
