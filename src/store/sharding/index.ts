// Sharding of experiments over PostgreSQL data servers, by postgres_fdw or Citus.
// For `experiments`; loaded lazily.
// Never changes an experiment before all its shards have been filled and compared.

export type { ServerStatement, ShardingOptions, ShardingResult } from "./sharding.ts";
