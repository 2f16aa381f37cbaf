import { describe, expect, it } from "vitest";
import { parseProfileTag, splitVersionPrefix } from "./profile-tag.ts";

describe("parseProfileTag", () => {
  it.each([
    ["0@i", { where: "index", first: 0, last: 0, range: false }],
    ["12@p", { where: "pending", first: 12, last: 12, range: false }],
    ["1@p-3@p", { where: "pending", first: 1, last: 3, range: true }],
    ["3@i-1@i", { where: "index", first: 3, last: 1, range: true }],
  ])("%s", (word, tag) => {
    expect(parseProfileTag(word)).toEqual(tag);
  });

  it.each(["", "i@i", "0@x", "0@i ", "-1@i", "0@i-1@p", "0@i-", "x0@i", "0@i.perf", "99999999999@i"])(
    "'%s' is not a tag",
    (word) => {
      expect(parseProfileTag(word)).toBeNull();
    },
  );
});

describe("splitVersionPrefix", () => {
  it.each([
    ["0@i", undefined, "0@i"],
    ["HEAD^0@i", "HEAD", "0@i"],
    ["HEAD^^0@i", "HEAD^", "0@i"],
    ["v1.0^run.perf", "v1.0", "run.perf"],
    ["HEAD^", undefined, "HEAD^"],
    ["^x", undefined, "^x"],
  ])("%s", (word, revision, rest) => {
    expect(splitVersionPrefix(word)).toEqual({ revision, rest });
  });
});
