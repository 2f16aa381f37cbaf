/** Members of a list or an object of JSON, each on a line of its own, as they come. */
export function* listText(
  members: Iterable<string>,
  [open, close]: readonly [open: string, close: string],
): Generator<string> {
  let before = `${open}\n`;
  for (const member of members) {
    yield before + member;
    before = ",\n";
  }
  yield before === ",\n" ? `\n${close}\n` : `${before}\n${close}\n`;
}
