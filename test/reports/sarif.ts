import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { sarifSchema } from "./sarif-schema.ts";

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: true,
});
/** RFC 3986: characters that may stand in a URI, escapes whole; the first also with a scheme. */
const reference = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
ajv.addFormat("uri", (uri: string) => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) && reference.test(uri));
ajv.addFormat("uri-reference", reference);
const fits = ajv.compile(sarifSchema);

interface Log {
  readonly runs: readonly {
    readonly automationDetails?: { readonly id?: string };
    readonly tool: { readonly driver: { readonly rules?: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId?: string;
      readonly ruleIndex?: number;
      readonly message: { readonly text: string };
      readonly partialFingerprints?: Readonly<Record<string, string>>;
    }[];
  }[];
}

/** Fails unless the text is a SARIF 2.1.0 log by the rules of its schema, and by those that a schema cannot say. */
export function expectSarif(text: string): void {
  const log = JSON.parse(text) as Log;
  expect(fits(log), JSON.stringify(fits.errors)).toBe(true);
  for (const { tool, results, automationDetails } of log.runs) {
    const ids = (tool.driver.rules ?? []).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // What comes before the last slash names the category (3.17.2); nothing behind it: no name of this very run.
    expect(automationDetails?.id ?? "/").toMatch(/\/$/);
    for (const { ruleId, ruleIndex = -1, message } of results) {
      if (ruleIndex >= 0) expect(ids[ruleIndex]).toBe(ruleId);
      // Controls are no part of a message; `[text](destination)` would be a link (3.11.6).
      expect(message.text).toMatch(/^\P{Cc}+$/u);
      expect(message.text).not.toMatch(/\]\(/);
    }
    const prints = results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints));
    expect(new Set(prints).size).toBe(prints.length);
  }
}
