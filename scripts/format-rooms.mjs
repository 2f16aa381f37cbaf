/** The rooms of formats, lowest first, with the rooms that each may import. */
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

/** Their layer rules; `only` creates a rule from a name, a path, the allowed imports and a comment. */
export function roomsOfFormats(only) {
  return Object.entries(formatRooms).map(([room, below]) =>
    only(
      "rooms-of-formats",
      `^src/formats/${room}/`,
      ["^src/core/", ...below.map((name) => `^src/formats/${name}/`)],
      "Encodings are below the formats that use them, and formats of one purpose do not depend on those of another.",
    ),
  );
}
