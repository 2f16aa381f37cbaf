/** The JSON form of an object about a commit: the id is named `commit`, and absent if there is none. */
export function commitJson<T extends { readonly version?: unknown }>({ version, ...rest }: T): object {
  return { ...(version === undefined ? {} : { commit: version }), ...rest };
}
