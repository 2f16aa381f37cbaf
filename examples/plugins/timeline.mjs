/**
 * Draws the amounts of each location in the order of their rows.
 *
 * @param {import("perfkeep/plugin").PluginKit} kit
 * @returns {import("perfkeep/plugin").View}
 */
export function plugin(kit) {
  /** @type {import("perfkeep/plugin").View} */
  const view = {
    kind: "view",
    name: "timeline",
    synopsis: "amounts in the order of the rows",
    options: [kit.option("scale", "string", "linear", "of the amounts", ["linear", "log"])],

    draw(run, options) {
      const locations = kit.pointsByUid(run.data, "amount", "amount");
      if (locations.length === 0) throw new kit.Failure("nothing-to-draw", { what: "the profile has no amounts" });
      const series = locations.map(({ uid, y }) => ({
        label: uid,
        axis: /** @type {0} */ (0),
        x: y.map((_, row) => row + 1),
        y,
      }));
      const scale = options.get("scale") === "log" ? "log" : "linear";
      return {
        title: "timeline",
        blocks: [
          {
            kind: "chart",
            mark: "line",
            x: { label: "row", scale: "linear" },
            y: [{ label: "amount", scale }],
            series,
          },
        ],
      };
    },
  };
  return Object.freeze(view);
}
