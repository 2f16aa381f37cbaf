import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { pngOf, saveFile } from "../charts/chart-export.ts";
import { Failed, messageOf } from "./answer.tsx";

interface ExportButtonsProps {
  /** Name of the files, without extension. */
  readonly name: string;
  readonly csv: () => string | Promise<string>;
  readonly svg: () => string | Promise<string>;
}

/** Saves a chart as CSV, SVG or PNG. */
export function ExportButtons({ name, csv, svg }: ExportButtonsProps): JSX.Element {
  const [error, setError] = useState("");
  const file = fileName(name);
  const make: Readonly<Record<string, () => Promise<Blob>>> = {
    csv: async () => new Blob([await csv()], { type: "text/csv" }),
    svg: async () => new Blob([await svg()], { type: "image/svg+xml" }),
    png: async () => pngOf(await svg()),
  };
  const save = (extension: string, content: () => Promise<Blob>): void => {
    setError("");
    content().then(
      (blob) => saveFile(`${file}.${extension}`, blob),
      (failure: unknown) => setError(messageOf(failure)),
    );
  };
  return (
    <div class="choice" role="group" aria-label="Export">
      {Object.entries(make).map(([extension, content]) => (
        <button key={extension} type="button" onClick={() => save(extension, content)}>
          {extension.toUpperCase()}
        </button>
      ))}
      {error !== "" && <Failed message={error} />}
    </div>
  );
}

/** The words of a name that every file system accepts. */
function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "");
  return safe === "" ? "chart" : safe.slice(0, 80);
}
