import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { changeCreators, creators, granteesOf, requireRight, unknownRoles, type Right } from "./rights.ts";

/** The rights on an experiment. Each right includes the previous ones, and the owner has all. */
export interface ExperimentRights {
  readonly owner?: string;
  readonly readers: readonly string[];
  readonly writers: readonly string[];
  readonly admins: readonly string[];
  /** Names without a user or group on the server; their rights apply once it exists. */
  readonly unknownRoles: readonly string[];
  /** Whether a server enforces the rights; a file relies on its permissions. */
  readonly enforced: boolean;
}

/** Reads and checks rights. The rights on an experiment are changed by updating it. */
export class ExperimentAccess {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Fails with `right-missing`, which lists who can grant it. */
  require(stored: StoredExperiment, right: Right): Promise<void> {
    return requireRight(this.#engine, stored, right);
  }

  async rightsOf({ experiment, owner }: StoredExperiment): Promise<ExperimentRights> {
    const { readers, writers, admins = [] } = experiment;
    const waiting = await unknownRoles(this.#engine, granteesOf(experiment));
    return {
      ...(owner === undefined ? {} : { owner }),
      readers,
      writers,
      admins,
      unknownRoles: waiting,
      enforced: this.#engine.rights.areEnforced,
    };
  }

  /** The users other than the schema's owner who may create experiments; empty for a file. */
  creators(): Promise<string[]> {
    return creators(this.#engine);
  }

  /**
   * Grants or revokes the right to create experiments and returns all who have it. Fails with `role-unknown`,
   * `right-missing`, and for a file with `no-users`.
   */
  changeCreators(action: "grant" | "revoke", names: readonly string[]): Promise<string[]> {
    return this.#engine.transaction(() => changeCreators(this.#engine, action, names));
  }
}
