/** A line of examples, of which those that follow are set in. */
const example = /^(?:\s|Examples?:)/;

/** `Statistics: …`: what a line tells on its own. */
const labelled = /^[A-Z][\w ]{1,24}: /;

/**
 * Lines of the tables are broken near this many characters: one that ends a sentence long before was meant to end
 * there.
 */
const shortLine = 100;

/**
 * Help as it is read on a terminal: prose is wrapped at `width`, wherever the lines of the tables are broken; examples
 * are left as they are, since a command line that is broken cannot be copied.
 */
export function helpText(text: string, width: number): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) =>
      linesOf(paragraph.split("\n"))
        .map((line) => (example.test(line) ? line : wrapped(line, width)))
        .join("\n"),
    )
    .join("\n\n");
}

/** The lines that stay lines: others go on in the one before. */
function linesOf(lines: readonly string[]): string[] {
  const found: string[] = [];
  let last = "";
  for (const line of lines) {
    const before = found.at(-1);
    const endsThere = /[.:;]$/.test(last) && last.length < shortLine;
    if (before === undefined || example.test(line) || example.test(before) || labelled.test(line) || endsThere)
      found.push(line);
    else found[found.length - 1] = `${before} ${line}`;
    last = line;
  }
  return found;
}

function wrapped(line: string, width: number): string {
  const rows: string[] = [];
  for (const word of line.split(" ")) {
    const row = rows.at(-1);
    if (row === undefined || row.length + 1 + word.length > width) rows.push(word);
    else rows[rows.length - 1] = `${row} ${word}`;
  }
  return rows.join("\n");
}
