import type { UserRenderer } from "../commands/configuration/plugins.ts";
import { Failure } from "../core/failures/failure.ts";
import type { Values } from "../core/values/value.ts";
import type { Workspace } from "../workspace/workspace.ts";

const formatsOfExtensions: Readonly<Record<string, string>> = {
  md: "markdown",
  html: "html",
  htm: "html",
  gp: "gnuplot",
  plt: "gnuplot",
  tex: "latex",
};

/** Formats that `--dark` applies to. */
export function hasBackground(format: string): boolean {
  return ["svg", "png", "html"].includes(format);
}

/** The first extension that selects the format. */
function usualExtension(format: string): string {
  return Object.keys(formatsOfExtensions).find((extension) => formatsOfExtensions[extension] === format) ?? format;
}

/**
 * The format that the extension of `file` selects; `text` without a file. Fails with `unknown-choice` for an unknown
 * extension if the verb writes pictures.
 */
export function formatOf(file: string | undefined, formats: readonly string[]): string {
  const format = knownFormatOf(file, formats);
  if (format !== undefined) return format;
  throw new Failure("unknown-choice", {
    kind: "ending of a picture",
    value: file,
    choices: formats.map((known) => `.${usualExtension(known)}`),
  });
}

/** Like `formatOf`, but undefined for an unknown extension. */
function knownFormatOf(file: string | undefined, formats: readonly string[]): string | undefined {
  const extension = extensionOf(file);
  const format = formatsOfExtensions[extension] ?? extension;
  if (formats.includes(format)) return format;
  return file !== undefined && formats.includes("svg") && extension !== "txt" ? undefined : "text";
}

/** In lower case, without the dot. */
function extensionOf(file: string | undefined): string {
  return /\.([A-Za-z0-9]+)$/.exec(file ?? "")?.[1]?.toLowerCase() ?? "";
}

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
