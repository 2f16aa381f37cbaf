/** Numbers of the types in pg_type that perfkeep reads and writes; they are the same in every server (pg_type.dat). */
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

/** PostgreSQL counts days and microseconds from 2000-01-01. */
export const epochDays = 10_957;
export const epochMicroseconds = 946_684_800_000_000;
