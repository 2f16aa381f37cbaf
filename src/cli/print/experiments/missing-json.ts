/** The JSON form of an object that is missing: `item` is the path it came from, or its kind. */
export function missingJson({ object, what }: { readonly object: string; readonly what: string }): object {
  return { object, item: what };
}
