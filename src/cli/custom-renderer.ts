import type { UserRenderer } from "../commands/configuration/custom-renderers.ts";
import { Failure } from "../core/failures/failure.ts";
import type { Values } from "../core/values/value.ts";
import { endingOf, formatOf, formatOfEnding, type Session } from "./session.ts";

/**
 * The renderer of the user's that the command line asks for: by --format, or by the ending of -o where pictures are
 * made and none of perfkeep's has that ending. Nothing else loads one. Fails with `unknown-choice` for a format that
 * there is not, with `not-trusted` and `bad-plugin`.
 */
export async function ownRenderer(
  session: Session,
  { format, output }: Readonly<Record<string, unknown>>,
  formats: readonly string[],
): Promise<{ readonly format?: string }> {
  if (typeof format === "string")
    return ["text", ...formats].includes(format) ? {} : { format: await rendererNamed(session, format, formats) };
  const file = typeof output === "string" ? output : undefined;
  if (formatOfEnding(file, formats) !== undefined) return {};
  const found = (await renderersOf(session)).find(({ extension }) => extension === endingOf(file));
  return found ? { format: found.name } : {};
}

/**
 * What `--format-opt` says, read by the renderer of the format. Fails with `unusable-combination` where none prints it,
 * and like `rendererOptions`.
 */
export async function rendererValues(
  { workspace }: Session,
  { format, output, formatOpt }: Readonly<Record<string, unknown>>,
  formats: readonly string[],
): Promise<Values | undefined> {
  if (!Array.isArray(formatOpt)) return undefined;
  const medium =
    typeof format === "string" ? format : formatOf(typeof output === "string" ? output : undefined, formats);
  const [{ rendererOptions }, { settingsOf }] = await Promise.all([
    import("../commands/configuration/custom-renderers.ts"),
    import("./verbs/options.ts"),
  ]);
  return rendererOptions(workspace, medium, settingsOf(formatOpt, undefined, "--format-opt"));
}

async function rendererNamed(session: Session, wanted: string, formats: readonly string[]): Promise<string> {
  const own = await renderersOf(session);
  const found = own.find(({ names }) => names.includes(wanted.toLowerCase().replaceAll("_", "-")));
  if (found) return found.name;
  throw new Failure("unknown-choice", {
    kind: "format",
    value: wanted,
    choices: ["text", ...formats, ...own.map(({ name }) => name)],
  });
}

async function renderersOf({ workspace }: Session): Promise<readonly UserRenderer[]> {
  const { userRenderers } = await import("../commands/configuration/custom-renderers.ts");
  return userRenderers(workspace);
}
