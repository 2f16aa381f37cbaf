/** The lines that notices name: by their own number, in a range, or by `and 3 more up to line 9`. */
export function namedLines(notices: readonly string[]): (line: number) => boolean {
  const named = new Set<number>();
  for (const notice of notices) {
    const [own = "", text = ""] = notice.split(/:(.*)/s);
    named.add(Number(own));
    for (const [, from, to] of text.matchAll(/\b(\d+)(?:-(\d+))?/g))
      for (let at = Number(from); at <= Number(to ?? from); at++) named.add(at);
    const upTo = Number(/up to line (\d+)/.exec(text)?.[1] ?? 0);
    for (let at = 1; at <= upTo; at++) named.add(at);
  }
  return (each) => named.has(each);
}
