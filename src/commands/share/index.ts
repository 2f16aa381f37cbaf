// Pushes to and pulls from remotes.
// Used by the verbs push and pull.
// Never resolves conflicts itself (workspace/share), and never overwrites shared changes.

export { type ShareOptions, pull, push } from "./share.ts";
