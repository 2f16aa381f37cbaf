/** The JSON form of an object about a commit: the id is named `commit`, and absent if there is none. */
export function commitJson({ version, ...rest }: { readonly version?: unknown }): object {
  return { ...(version === undefined ? {} : { commit: version }), ...rest };
}
