import { expect, test } from "vitest";
import { readInput } from "./input.ts";

test("reads perfbase's elements", () => {
  const { rules, experiment, locations } = readInput(
    `<input id="one"><experiment>x</experiment><tabular_location columns="2"><match># P</match><skip>2</skip>
       <tabular_value><name>S</name><pos>0</pos></tabular_value><tabular_value><name>T</name></tabular_value></tabular_location></input>`,
    "i.xml",
  );
  expect({ rules, experiment }).toEqual({ rules: "stream", experiment: "x" });
  expect(locations).toMatchObject([
    {
      kind: "table",
      rows: [{ kind: "keyword", text: "# P" }],
      start: 2,
      columns: 2,
      values: [
        { name: "S", position: { kind: "number", number: 1 } },
        { name: "T", position: { kind: "relative", offset: 1 } },
      ],
    },
  ]);
});
