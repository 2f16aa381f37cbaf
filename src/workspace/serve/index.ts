// The HTTP server of the live dashboard: access control, pages, API calls, change events and page cache.
// Used by the verb serve and the commands of src/commands/dashboard.
// Never answers a request without the token, another host name or another origin.

export { isLoopback } from "./access.ts";
export type { ApiCall, ApiHandler, ApiReply } from "./api.ts";
export { openCachedPage, writeCachedPage } from "./page-cache.ts";
export { type StoreState, StoreStateReader, stateKinds } from "./store-state.ts";
