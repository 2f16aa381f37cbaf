import { customReportHead, customReport, isBiggerBetter } from "../../../formats/benchmarks/index.ts";
import { JsonLocation } from "../../../formats/json/index.ts";
import { reportImporter } from "../report-importer.ts";

/**
 * `customBiggerIsBetter` of github-action-benchmark. The file does not name its kind: detection uses typical words.
 */
export const customBigger = reportImporter({
  name: "custom-bigger",
  synopsis: "github-action-benchmark customBiggerIsBetter",
  marks: 'JSON: a list of "name", "unit", "value", with rates or words such as bigger or throughput',
  sniff: (head) => (isBiggerBetter(customReportHead(head)) ? 0.5 : 0),
  reports: (bytes, file) => [customReport(JsonLocation.document(bytes, file), "higher")],
});

/**
 * `customSmallerIsBetter` of github-action-benchmark. The file does not name its kind: detection uses typical words.
 */
export const customSmaller = reportImporter({
  name: "custom-smaller",
  synopsis: "github-action-benchmark customSmallerIsBetter",
  marks: 'JSON: a list of "name", "unit", "value", without words such as bigger or throughput',
  sniff: (head) => {
    const text = customReportHead(head);
    return text === "" || isBiggerBetter(text) ? 0 : 0.5;
  },
  reports: (bytes, file) => [customReport(JsonLocation.document(bytes, file), "lower")],
});
