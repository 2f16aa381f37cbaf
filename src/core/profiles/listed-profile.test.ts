import { describe, expect, it } from "vitest";
import { inTagOrder, type ListedProfile } from "./listed-profile.ts";

const profile = (name: string, time: number, type = "time"): ListedProfile => ({
  name,
  time,
  type,
  collector: "time",
  cmd: "ls",
  workload: "",
  postprocessors: [],
  object: "",
});

describe("inTagOrder", () => {
  const profiles = [profile("a", 10), profile("b", 30, "memory"), profile("c", 10), profile("d", 20, "mixed")];

  it("sorts the newest first, stable for equal times", () => {
    expect(inTagOrder(profiles, "time").map((p) => p.name)).toEqual(["b", "d", "a", "c"]);
  });

  it("sorts texts by code point, descending", () => {
    expect(inTagOrder(profiles, "type").map((p) => p.name)).toEqual(["a", "c", "d", "b"]);
    expect(inTagOrder(profiles, "source").map((p) => p.name)).toEqual(["d", "c", "b", "a"]);
  });

  it("does not modify its argument", () => {
    inTagOrder(profiles, "source");
    expect(profiles.map((p) => p.name)).toEqual(["a", "b", "c", "d"]);
  });
});
