import type { JSX } from "preact";

const width = 120;
const height = 26;
const edge = 3;

/** Values as a small line, the newest marked; the numbers stand beside it. */
export function Sparkline({ of }: { readonly of: readonly number[] }): JSX.Element {
  const finite = of.filter(Number.isFinite);
  const low = Math.min(...finite);
  const span = Math.max(...finite) - low;
  const x = (i: number): number => edge + (of.length < 2 ? 0.5 : i / (of.length - 1)) * (width - 2 * edge);
  const y = (value: number): number => height - edge - (span === 0 ? 0.5 : (value - low) / span) * (height - 2 * edge);
  const steps = of.flatMap((value, i) => (Number.isFinite(value) ? [`${x(i).toFixed(1)} ${y(value).toFixed(1)}`] : []));
  const last = of.findLastIndex(Number.isFinite);
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {steps.length > 1 && <path d={`M${steps.join("L")}`} />}
      {last >= 0 && <circle cx={x(last)} cy={y(of[last] ?? 0)} r="2.4" />}
    </svg>
  );
}
