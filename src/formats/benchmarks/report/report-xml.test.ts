import { expect, test } from "vitest";
import { childText, reportXml, rootName } from "./report-xml.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['<?xml version="1.0"?>\n<!-- <b> -->\n<!DOCTYPE a>\n<a x="1">', "a"],
  ["\ufeff<test-results/>", "test-results"],
  ["", ""],
  ["text <a>", ""],
  ["<!-- endless", ""],
  ["</a>", ""],
  ["<1>", ""],
])("the root element of %j", (text, name) => expect(rootName(bytes(text))).toBe(name));

test("repetitive heads are scanned in linear time", () => {
  for (const sign of ["<", "<!", "<?>", "<!---->", " ", "\0"])
    expect(rootName(bytes(sign.repeat(1 << 16).slice(0, 1 << 16)))).toBe("");
});

test("reads UTF-16 and Latin 1", () => {
  const wide = Uint8Array.from([0xff, 0xfe, ...[..."<a>é</a>"].flatMap((sign) => [sign.charCodeAt(0), 0])]);
  expect(reportXml(wide, "some.file").text).toBe("é");
  const latin = Uint8Array.from([...bytes('<?xml version="1.0" encoding="ISO-8859-1"?><a>'), 0xe9, ...bytes("</a>")]);
  expect(reportXml(latin, "some.file").text).toBe("é");
});

test("a report may be longer than a description, and failures name the line", () => {
  const long = `<a><b> x </b>${"<c/>".repeat(300_000)}</a>`;
  expect(childText(reportXml(bytes(long), "some.file"), "b")).toBe("x");
  expect(() => reportXml(bytes("<a>\n<b>&evil;</b></a>"), "some.file")).toThrow(
    expect.objectContaining({ code: "damaged-report" }),
  );
  expect(() => reportXml(bytes("<a>\n</b>"), "some.file")).toThrow(/^some\.file:2: /);
});
