/**
 * Writes figures as AsciiDoc, tables with their captions.
 *
 * @param {import("perfkeep/plugin").PluginKit} kit
 * @returns {import("perfkeep/plugin").Renderer}
 */
export function plugin(kit) {
  /** @type {import("perfkeep/plugin").Renderer} */
  const renderer = {
    kind: "renderer",
    name: "asciidoc",
    synopsis: "tables of AsciiDoc",
    options: [],
    mediaType: "text/asciidoc; charset=utf-8",
    extension: "adoc",

    async render(figure) {
      const title = figure.title === "" ? [] : [`= ${inline(figure.title)}`];
      const blocks = figure.blocks.map((block) => {
        if (block.kind === "text") return `....\n${kit.terminalLines(block.text).replaceAll(/^\.{4}/gm, " $&")}\n....`;
        const { caption, head, rows } = kit.blockTable(block);
        const widths = head.map(({ align }) => (align === "right" ? ">1" : "<1")).join(",");
        const lines = [head.map(({ label }) => label), ...rows].map((cells) =>
          cells.map((cell) => `|${inline(cell)}`).join(" "),
        );
        const above = caption === undefined ? [] : [`.${inline(caption)}`];
        return [...above, `[cols="${widths}",options="header"]`, "|===", ...lines, "|==="].join("\n");
      });
      return `${[...title, ...blocks].join("\n\n")}\n`;
    },
  };
  return Object.freeze(renderer);

  /** One line, in which nothing marks up and no cell ends. @param {string} text */
  function inline(text) {
    return kit.terminalText(text).replaceAll(/[&<>|+`*_#^~{}[\]:]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  }
}
