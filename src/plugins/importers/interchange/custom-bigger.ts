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
