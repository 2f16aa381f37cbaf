/**
 * The rules of SARIF 2.1.0 (OASIS, Errata 01, sections 3.13 to 3.58) for those of its objects that a report of verdicts
 * may have, as a JSON Schema: which members an object may have and must have, closed words, least numbers, forms of
 * URIs and GUIDs. Objects that no report has (such as code flows) are no members here.
 */

const text = { type: "string" } as const;
const index = { type: "integer", minimum: -1 } as const;
const bag = { type: "object", properties: { tags: { type: "array", uniqueItems: true, items: text } } } as const;
const guid = {
  type: "string",
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
} as const;
const level = { enum: ["none", "note", "warning", "error"] } as const;
const uri = { type: "string", format: "uri" } as const;
const line = { type: "integer", minimum: 1 } as const;
const of = (name: string): object => ({ $ref: `#/$defs/${name}` });
const list = (items: object): object => ({ type: "array", items });
const set = (items: object): object => ({ type: "array", uniqueItems: true, items });
const texts = { type: "object", additionalProperties: text } as const;

/** An object that has no other members than these; each may have a bag of properties. */
function closed(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
  more: object = {},
): object {
  return {
    type: "object",
    additionalProperties: false,
    properties: { ...properties, properties: bag },
    required,
    ...more,
  };
}

const $defs = {
  run: closed(
    {
      tool: of("tool"),
      invocations: list(of("invocation")),
      automationDetails: of("runAutomationDetails"),
      artifacts: set(of("artifact")),
      logicalLocations: set(of("logicalLocation")),
      results: list(of("result")),
      baselineGuid: guid,
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      language: { type: "string", pattern: "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$" },
      defaultEncoding: text,
    },
    // A log of an actual scan has results, if only an empty list (3.14.23).
    ["tool", "results"],
  ),
  tool: closed({ driver: of("toolComponent"), extensions: set(of("toolComponent")) }, ["driver"]),
  toolComponent: closed(
    {
      guid,
      name: text,
      organization: text,
      version: text,
      semanticVersion: text,
      informationUri: uri,
      downloadUri: uri,
      rules: set(of("reportingDescriptor")),
      notifications: set(of("reportingDescriptor")),
    },
    ["name"],
  ),
  reportingDescriptor: closed(
    {
      id: text,
      guid,
      name: text,
      shortDescription: of("multiformatMessageString"),
      fullDescription: of("multiformatMessageString"),
      help: of("multiformatMessageString"),
      helpUri: uri,
      defaultConfiguration: closed({
        enabled: { type: "boolean" },
        level,
        rank: { type: "number", minimum: -1, maximum: 100 },
      }),
    },
    ["id"],
  ),
  multiformatMessageString: closed({ text, markdown: text }, ["text"]),
  message: closed({ text, markdown: text, id: text, arguments: list(text) }, [], {
    anyOf: [{ required: ["text"] }, { required: ["id"] }],
  }),
  invocation: closed(
    {
      commandLine: text,
      arguments: list(text),
      exitCode: { type: "integer" },
      exitCodeDescription: text,
      executionSuccessful: { type: "boolean" },
      toolExecutionNotifications: list(of("notification")),
      toolConfigurationNotifications: list(of("notification")),
    },
    ["executionSuccessful"],
  ),
  notification: closed(
    { locations: set(of("location")), message: of("message"), level, threadId: { type: "integer" } },
    ["message"],
  ),
  runAutomationDetails: closed({ description: of("message"), id: text, guid, correlationGuid: guid }),
  artifact: closed({ description: of("message"), location: of("artifactLocation"), parentIndex: index }),
  artifactLocation: closed({
    uri: { type: "string", format: "uri-reference" },
    uriBaseId: text,
    index,
    description: of("message"),
  }),
  location: closed({
    id: index,
    physicalLocation: of("physicalLocation"),
    logicalLocations: set(of("logicalLocation")),
    message: of("message"),
  }),
  physicalLocation: closed(
    { artifactLocation: of("artifactLocation"), region: of("region"), contextRegion: of("region") },
    ["artifactLocation"],
  ),
  region: closed({ startLine: line, startColumn: line, endLine: line, endColumn: line, message: of("message") }, [
    "startLine",
  ]),
  logicalLocation: closed({
    name: text,
    index,
    fullyQualifiedName: text,
    decoratedName: text,
    parentIndex: index,
    kind: text,
  }),
  suppression: closed(
    {
      guid,
      kind: { enum: ["inSource", "external"] },
      status: { enum: ["accepted", "underReview", "rejected"] },
      justification: text,
      location: of("location"),
    },
    ["kind"],
  ),
  result: closed(
    {
      ruleId: text,
      ruleIndex: index,
      kind: { enum: ["notApplicable", "pass", "fail", "review", "open", "informational"] },
      level,
      message: of("message"),
      locations: list(of("location")),
      guid,
      correlationGuid: guid,
      occurrenceCount: { type: "integer", minimum: 1 },
      partialFingerprints: texts,
      fingerprints: texts,
      relatedLocations: set(of("location")),
      suppressions: set(of("suppression")),
      baselineState: { enum: ["new", "unchanged", "updated", "absent"] },
      rank: { type: "number", minimum: -1, maximum: 100 },
    },
    ["message"],
    // What is no failure has no level (3.27.10).
    { anyOf: [{ properties: { kind: { const: "fail" } } }, { properties: { level: { const: "none" } } }] },
  ),
} as const;

export const sarifSchema: object = {
  ...closed({ $schema: uri, version: { const: "2.1.0" }, runs: { type: ["array", "null"], items: of("run") } }, [
    "version",
    "runs",
  ]),
  $defs,
};
