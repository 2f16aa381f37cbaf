/** OIDs of the types that perfkeep reads and writes; the same on every server (pg_type.dat). */
export const typeNumber = {
  bool: 16,
  bytea: 17,
  name: 19,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  float4: 700,
  float8: 701,
  bpchar: 1042,
  varchar: 1043,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
} as const;

/** PostgreSQL's epoch, 2000-01-01, in days and microseconds since 1970-01-01. */
export const epochDays = 10_957;
export const epochMicroseconds = 946_684_800_000_000;
