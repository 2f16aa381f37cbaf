// Facts about this machine: environment, load, clock rates, processors, local time, and what perfkeep finds on it.
// Used by src/workspace/jobs and the commands.
// Never records more about the machine than a closed list of facts.

export { pinnedShell, selectProcessors } from "./cpu-pinning.ts";
export { describeEnvironment, withTreeState } from "./environment.ts";
export { localTime } from "./local-time.ts";
export {
  type MachineState,
  MachineWatch,
  mergeMachineStates,
  numberOrNull,
  stateFromJson,
  stateToJson,
  timeCanary,
} from "./machine-state.ts";
export { checkRequirements, type Requirement } from "./requirements.ts";
