import type { UserRenderer } from "../commands/configuration/index.ts";
import { Failure } from "../core/failures/index.ts";
import type { Values } from "../core/values/index.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { extensionOf, formatOf, knownFormatOf } from "./output-format.ts";

interface WithWorkspace {
  readonly workspace: Workspace;
}

/**
 * The format of a user's renderer, selected by --format or by an extension of -o that no built-in format has; empty
 * otherwise. Loads user renderers only in these cases. Fails with `unknown-choice` for an unknown format, `not-trusted`
 * and `bad-plugin`.
 */
export async function customFormat(
  session: WithWorkspace,
  { format, output }: Readonly<Record<string, unknown>>,
  formats: readonly string[],
): Promise<{ readonly format?: string }> {
  if (typeof format === "string")
    return ["text", ...formats].includes(format) ? {} : { format: await rendererNamed(session, format, formats) };
  const file = typeof output === "string" ? output : undefined;
  if (knownFormatOf(file, formats) !== undefined) return {};
  const renderer = (await renderersOf(session)).find(({ extension }) => extension === extensionOf(file));
  return renderer ? { format: renderer.name } : {};
}

/**
 * The values of `--format-opt`, parsed by the renderer of the format. Fails with `unusable-combination` if the format
 * has no renderer, and like `rendererOptions`.
 */
export async function rendererValues(
  { workspace }: WithWorkspace,
  { format, output, formatOpt }: Readonly<Record<string, unknown>>,
  formats: readonly string[],
): Promise<Values | undefined> {
  if (!Array.isArray(formatOpt)) return undefined;
  const medium =
    typeof format === "string" ? format : formatOf(typeof output === "string" ? output : undefined, formats);
  const [{ rendererOptions }, { settingsOf }] = await Promise.all([
    import("../commands/configuration/plugins.ts"),
    import("./verbs/options.ts"),
  ]);
  return rendererOptions(workspace, medium, settingsOf(formatOpt, undefined, "--format-opt"));
}

async function rendererNamed(session: WithWorkspace, wanted: string, formats: readonly string[]): Promise<string> {
  const custom = await renderersOf(session);
  const renderer = custom.find(({ names }) => names.includes(wanted.toLowerCase().replaceAll("_", "-")));
  if (renderer) return renderer.name;
  throw new Failure("unknown-choice", {
    kind: "format",
    value: wanted,
    choices: ["text", ...formats, ...custom.map(({ name }) => name)],
  });
}

async function renderersOf({ workspace }: WithWorkspace): Promise<readonly UserRenderer[]> {
  const { userRenderers } = await import("../commands/configuration/plugins.ts");
  return userRenderers(workspace);
}
