/** The data types of a variable (perfbase's and the seed's). `version` is a dotted number compared component by component. */
export const dataTypes = [
  "integer",
  "float",
  "string",
  "text",
  "date",
  "timeofday",
  "duration",
  "timestamp",
  "binary",
  "boolean",
  "version",
] as const;

export type DataType = (typeof dataTypes)[number];

/**
 * One content of a variable. null is "no value".
 * integer: number, or bigint beyond 2^53; float: number (NaN allowed); duration and timeofday: seconds;
 * timestamp: microseconds since 1970-01-01T00:00:00Z; date: days since 1970-01-01; binary: base64 text;
 * everything else: text.
 */
export type Value = null | boolean | number | bigint | string;

/** Values by variable name. */
export type Values = ReadonlyMap<string, Value>;
