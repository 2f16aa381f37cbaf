/** Table styles by their names in Python's tabulate and Perun's `tableof -f`. */
export const tableStyleNames: readonly string[] = [
  "simple plain presto pretty psql orgtbl github pipe rst",
  "grid simple_grid rounded_grid heavy_grid mixed_grid double_grid fancy_grid colon_grid",
  "outline simple_outline rounded_outline heavy_outline mixed_outline double_outline fancy_outline",
  "asciidoc jira mediawiki moinmoin textile youtrack html unsafehtml",
  "latex latex_raw latex_booktabs latex_longtable tsv",
].flatMap((line) => line.split(" "));
