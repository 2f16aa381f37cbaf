import { Failure } from "../core/failures/index.ts";

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
export function knownFormatOf(file: string | undefined, formats: readonly string[]): string | undefined {
  const extension = extensionOf(file);
  const format = formatsOfExtensions[extension] ?? extension;
  if (formats.includes(format)) return format;
  return file !== undefined && formats.includes("svg") && extension !== "txt" ? undefined : "text";
}

/** In lower case, without the dot. */
export function extensionOf(file: string | undefined): string {
  return /\.([A-Za-z0-9]+)$/.exec(file ?? "")?.[1]?.toLowerCase() ?? "";
}
