import { expect, test } from "vitest";
import type { TableBlock } from "./figure.ts";
import { tableOf } from "../tables/table-builder.ts";
import { answerFigure } from "./table-figure.ts";

test.each([
  [85866630, "85866630"],
  [-85866630.4, "-85866630"],
  [999999.94, "1000000"],
  [1234.5678, "1234.57"],
  [0.00012345678, "0.000123457"],
])("%d is %s to people", (value, text) => {
  const x = { name: "x", role: "result", occurrence: "multiple", type: "float" } as const;
  const { rows } = answerFigure(tableOf([x], [[value]]), "people").blocks[0] as TableBlock;
  expect(rows).toEqual([[text]]);
});
