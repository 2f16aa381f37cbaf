/** The rooms of formats, lowest first, and the rooms below that each may read. */
const formatRooms = {
  bytes: [],
  json: ["bytes"],
  text: ["bytes"],
  mutation: ["text"],
  columnar: ["bytes", "text"],
  profile: ["bytes", "json", "text"],
  traces: ["bytes", "text"],
  stacks: ["bytes", "json", "text", "profile", "traces"],
  benchmarks: ["bytes", "json", "text", "stacks"],
  descriptions: ["bytes", "json", "text"],
  store: ["bytes", "json", "text", "descriptions"],
};

/** Their layer rules; `only` makes one of a name, a path, what may be imported from there, and why. */
export function roomsOfFormats(only) {
  return Object.entries(formatRooms).map(([room, below]) =>
    only(
      "rooms-of-formats",
      `^src/formats/${room}/`,
      ["^src/core/", ...below.map((name) => `^src/formats/${name}/`)],
      "Spellings and encodings are below the formats that are written in them, and formats of one purpose do not lean on those of another.",
    ),
  );
}
