import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { pngOf, saveFile } from "./chart-export.ts";
import { Failed, messageOf } from "../parts/answer.tsx";

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
  const makers: Readonly<Record<string, () => Promise<Blob>>> = {
    csv: async () => new Blob([await csv()], { type: "text/csv" }),
    svg: async () => new Blob([await svg()], { type: "image/svg+xml" }),
    png: async () => pngOf(await svg()),
  };
  const save = (extension: string, make: () => Promise<Blob>): void => {
    setError("");
    make().then(
      (blob) => saveFile(`${file}.${extension}`, blob),
      (failure: unknown) => setError(messageOf(failure)),
    );
  };
  return (
    <div class="choice" role="group" aria-label="Export">
      {Object.entries(makers).map(([extension, make]) => (
        <button key={extension} type="button" onClick={() => save(extension, make)}>
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
