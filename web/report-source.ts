import type { ChangeColumns, PointBlock, SeriesColumns, VersionColumns } from "../src/core/pages/columns.ts";
import type { Figure } from "../src/core/figure.ts";
import type { Overview } from "../src/core/pages/overview.ts";
import { type ReportContents, reportParts } from "../src/core/pages/report-parts.ts";
import type { ExperimentPage, PageSource } from "../src/core/pages/source.ts";
import { partFrame, partPoints, partValue } from "./report-part.ts";

/** What a report holds in itself. */
export function reportSource(document: Document, overview: Overview): PageSource {
  const contents = async (): Promise<ReportContents> =>
    (await partValue(document, reportParts.contents)) as ReportContents;
  const figure = async (id: string): Promise<Figure> => (await partValue(document, id)) as Figure;
  return {
    overview: () => Promise.resolve(overview),
    versions: (): Promise<VersionColumns> => partFrame(document, reportParts.versions),
    series: (): Promise<SeriesColumns> => partFrame(document, reportParts.series),
    changes: (): Promise<ChangeColumns> => partFrame(document, reportParts.changes),
    points: (block): Promise<PointBlock> => partPoints(document, reportParts.points(block)),
    profiles: async (version) => new Map((await contents()).profiles).get(version) ?? [],
    views: async (object) => {
      const held = (await contents()).views.filter(([each]) => each === object);
      return held.map(([, name]) => ({ name, synopsis: "", options: [] }));
    },
    firstView: async (object) => (await contents()).views.find(([each]) => each === object)?.[1] ?? "",
    view: async (object, view) => {
      const place = (await contents()).views.findIndex(([each, name]) => each === object && name === view);
      return figure(reportParts.view(place));
    },
    difference: async (base, target) => {
      const place = (await contents()).differences.findIndex(([before, after]) => before === base && after === target);
      return figure(reportParts.difference(place));
    },
    differences: async () => (await contents()).differences,
    experiment: async (name) => {
      const place = overview.experiments.findIndex((experiment) => experiment.name === name);
      return (await partValue(document, reportParts.experiment(place))) as ExperimentPage;
    },
  };
}
