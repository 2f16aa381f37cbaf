import { formatValue, type DataType, type Value } from "../../core/value.ts";

/** All different contents joined, or `#12values#` where there are more than were asked for; `empty` where there are none. */
export function contentsText(
  { contents, distinct }: { readonly contents: readonly Value[]; readonly distinct: number },
  type: DataType,
  separator: string,
  empty: string,
): string {
  if (distinct === 0) return empty;
  return contents.length < distinct
    ? `#${distinct}values#`
    : contents.map((content) => formatValue(content, type)).join(separator);
}
