// The failure catalogue: code, message, remedy and exit status of every expected error, and the class Failure.
// Used by every layer; imports nothing outside of this room.
// Never catches, prints or logs an error, and never changes a code.

export { catalogue } from "./catalogue.ts";
export { Failure, type FailureCode, isFailure, isReadFailure, valueOrFailure } from "./failure.ts";
export { type FailureData, exitStatus } from "./kind.ts";
