/** A benchmark of writing and reading: the experiment, and where its output has the values. */
export const description = [
  "*experiment io",
  "Writing and reading",
  "*parameter host string - once",
  "*parameter op string",
  "*parameter S_chunk int Byte",
  "*result B_io float MByte/s",
  "",
].join("\n");

export const input = [
  'NAMED host alias="machine" ws=":"',
  'TABLE op row="op size rate" pos=1',
  'TABLE S_chunk row="op size rate" pos=2',
  'TABLE B_io row="op size rate" pos=3',
  "",
].join("\n");
