import type { ShareOptions } from "../../../commands/share/share-options.ts";
import { counted } from "../../../core/text/plural.ts";
import { scaleFor } from "../../../core/values/unit-display.ts";
import { conversion, convert, formatUnit, parseUnit } from "../../../core/values/unit.ts";
import type { Arguments } from "../../arguments.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Operand, OptionSpec } from "../../verb.ts";
import { sizeIn } from "../options.ts";

export const remoteOperand: Operand = {
  name: "[remote]",
  synopsis: "name of a git remote, or an address or folder (default: share.remote, else origin, else the only one)",
  means: ["file"],
};

/** Which of everything. */
export const shareFilters: readonly OptionSpec[] = [
  { flags: "--since <time>", synopsis: "only profiles that were measured then or later, in UTC" },
  { flags: "--collector <name>", synopsis: "only profiles of this collector" },
  { flags: "--limit-size <size>", synopsis: "only profiles of at most so many bytes, such as 10MByte" },
];

/** Does `action` with the options of `args`, and shows how far it has come. */
export async function sharing<T>(
  session: Session,
  args: Arguments,
  dryRun: boolean,
  action: (options: ShareOptions) => Promise<T>,
): Promise<T> {
  const bar = openProgress(session);
  let what = "";
  const phase = (next: string): void => {
    what = next;
    bar.phase();
  };
  const progress = { phase, show: (done: number, total: number) => bar.show(done, total, what) };
  return action({ ...shareOptionsOf(args, dryRun), progress }).finally(() => bar.hide());
}

function shareOptionsOf(args: Arguments, dryRun: boolean): ShareOptions {
  const remote = args.maybeOperand(0);
  const since = args.text("since");
  const collector = args.text("collector");
  const size = args.text("limitSize");
  return {
    ...(remote === undefined ? {} : { remote }),
    ...(since === undefined ? {} : { since }),
    ...(collector === undefined ? {} : { collector }),
    ...(size === undefined ? {} : { sizeLimit: sizeIn("--limit-size", size) }),
    dryRun,
  };
}

/** `1.5 MiByte`. */
export function bytesText(bytes: number): string {
  const byte = parseUnit("Byte");
  const unit = scaleFor(bytes, byte);
  const value = convert(bytes, conversion(byte, unit));
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${formatUnit(unit)}`;
}

/** `3 profiles, 2 versions`. */
export function listed(counts: readonly (readonly [count: number, one: string, many: string])[]): string {
  return counts.map(([count, one, many]) => counted(count, one, many)).join(", ");
}
