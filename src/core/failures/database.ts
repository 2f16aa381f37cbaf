import { type FailureKind, suggestion } from "./kind.ts";

/** Failures of the experiment database: connections, permissions, statements. */
export const databaseFailures = {
  "no-database": {
    exit: "nothingMatched",
    message: (d) => `there is no experiment database at ${d.path} yet`,
    remedy: (d) => {
      const restore = d.engine === "postgres" ? "from a dump of the server" : "with perfkeep rebuild experiments";
      return `perfkeep experiment create FILE.exp creates it with its first experiment; restore a lost one ${restore}`;
    },
  },
  "database-busy": {
    exit: "host",
    message: (d) => `the experiment database ${d.path} is in use by ${d.pid ? `process ${d.pid}` : "another process"}`,
    remedy: (d) => `waited ${d.seconds} s; try again when that process has ended${d.pid ? ` (ps -p ${d.pid})` : ""}`,
  },
  "no-server-database": {
    exit: "nothingMatched",
    message: (d) => `the server ${d.host}:${d.port} has no database '${d.database}'`,
    remedy: (d) => `createdb -h ${d.host} -p ${d.port} ${d.database} creates an empty one`,
  },
  "database-unreachable": {
    exit: "host",
    message: (d) => `no PostgreSQL server answers at ${d.host}:${d.port}: ${d.reason}`,
    remedy: (d) =>
      `check host and port, and that the server runs and accepts connections (pg_isready -h ${d.host} -p ${d.port})`,
  },
  "database-full": {
    exit: "host",
    message: (d) => `the server ${d.host}:${d.port} has no connection left for '${d.user}': ${d.reason}`,
    remedy: (d) =>
      `waited ${d.seconds} s; try again later, wait longer with lock_timeout=SECONDS in the address, ` +
      `or raise the server's max_connections`,
  },
  "database-untrusted": {
    exit: "untrusted",
    message: (d) => `cannot verify the identity of the server ${d.host}:${d.port}: ${d.reason}`,
    remedy: () =>
      `name the authority that signed its certificate with sslrootcert=FILE in the address, or in PGSSLROOTCERT`,
  },
  "database-denied": {
    exit: "host",
    message: (d) => `the server ${d.host}:${d.port} denies '${d.user}' access: ${d.reason}`,
    remedy: () => `check the user name, and the password in PGPASSWORD, ~/.pgpass or the service file`,
  },
  "database-forbidden": {
    exit: "host",
    message: (d) => `'${d.user}' lacks the database permission for this: ${d.reason}`,
    remedy: () => `the owner of the database or of the experiment can grant it`,
  },
  "database-closed": {
    exit: "host",
    message: (d) => `'${d.user}' has no right to any experiment of this database`,
    remedy: (d) =>
      `an admin of an experiment can grant one (perfkeep experiment grant read ${d.user} -e NAME), ` +
      `${d.owner} can grant the right create`,
  },
  "data-server-unreachable": {
    exit: "host",
    message: (d) =>
      `the server ${d.host}:${d.port} cannot reach a server that holds shards of the experiment: ${d.reason}`,
    remedy: () =>
      `start that server or check the network, and try again (after a change of its password, first ` +
      `repeat experiment distribute with the same servers); perfkeep experiment check --fix repairs ` +
      `what an import left`,
  },
  "no-data-server": {
    exit: "usage",
    message: () => `no data server given`,
    remedy: () =>
      `name them with --over postgres://…,postgres://…; perfkeep experiment undistribute moves the ` +
      `rows back to one server`,
  },
  "data-server-password": {
    exit: "usage",
    message: (d) => `no password of '${d.user}' for the data server ${d.location}`,
    remedy: () =>
      `put it into ~/.pgpass (host:port:database:user:password), or into PGPASSWORD if all servers have the same`,
  },
  "data-server-given-twice": {
    exit: "usage",
    message: (d) => `--over names the data server ${d.location} more than once`,
    remedy: () => `name each server once: each stores an equal share of the runs`,
  },
  "no-spreading": {
    exit: "usage",
    message: (d) => `experiment '${d.experiment}' cannot be sharded: ${d.reason}`,
    remedy: (d) => `${d.advice}`,
  },
  "wrapper-forbidden": {
    exit: "host",
    message: (d) => `'${d.user}' may not connect the server ${d.host}:${d.port} to other servers: ${d.reason}`,
    remedy: (d) => `a superuser has to run once, there, in the database ${d.database}: ${d.statements}`,
  },
  "parts-differ": {
    exit: "host",
    message: (d) => `shard ${d.part} of experiment '${d.experiment}' holds ${d.found} instead of ${d.wanted}`,
    remedy: () =>
      `nothing was removed, the experiment is unchanged; try again, and check the data server if it fails again`,
  },
  "right-missing": {
    exit: "host",
    message: (d) =>
      d.right === "create"
        ? `'${d.user}' may not create experiments in this database: the right create is missing`
        : `'${d.user}' may not do that with experiment '${d.experiment}': the right ${d.right} is missing`,
    remedy: (d) =>
      `ask ${d.grantors || "its owner"} for: perfkeep experiment grant ${d.right} ${d.user}` +
      (d.experiment ? ` -e ${d.experiment}` : ""),
  },
  "role-unknown": {
    exit: "usage",
    message: (d) => `the server has no user or group '${d.role}'${suggestion(d)}`,
    remedy: (d) => `create it on the server with createuser; then grant '${d.role}' the right again`,
  },
  "no-such-right": {
    exit: "nothingMatched",
    message: (d) =>
      d.isOwner
        ? `'${d.who}' owns experiment '${d.experiment}' and keeps all rights`
        : `'${d.who}' was not granted the right ${d.right} to '${d.experiment}'${suggestion(d)}`,
    remedy: (d) =>
      `perfkeep experiment access ${d.experiment} lists the granted rights; members of a group have those of the group`,
  },
  "no-users": {
    exit: "usage",
    message: () => `a database file has no users: anyone who may write the file may create experiments`,
    remedy: () => `change the permissions of the file`,
  },
  "server-not-named": {
    exit: "untrusted",
    message: (d) =>
      `${d.file} requests the server ${d.address}, and nothing else names it: logging in could disclose your password`,
    remedy: (d) =>
      `--db ${d.address} confirms the server (perfbase: --dbhost); --db PATH creates the experiment in a file`,
  },
  "database-lost": {
    exit: "host",
    message: (d) => `the connection to ${d.host}:${d.port} was lost: ${d.reason}`,
    remedy: () => `try again; unfinished changes were not stored`,
  },
  "database-conflict": {
    exit: "host",
    message: (d) => `another user changed the same data at the same time: ${d.reason}`,
    remedy: () => `try again; nothing was stored`,
  },
  "database-timeout": {
    exit: "host",
    message: (d) => `the database canceled the statement: ${d.reason}`,
    remedy: () => `narrow the query, or raise statement_timeout in the address`,
  },
  "database-address": {
    exit: "usage",
    message: (d) => `invalid database address ${d.address}: ${d.reason}`,
    remedy: () => `write it as postgres://user@host:port/database`,
  },
  "database-path": {
    exit: "usage",
    message: (d) => `DuckDB cannot store a database below a folder with '?' in its name: ${d.path}`,
    remedy: () => `rename it, or choose another location with --db or PERFKEEP_DB`,
  },
  "password-in-address": {
    exit: "usage",
    message: (d) => `the database address ${d.address} contains a password, which others can see there`,
    remedy: () => `remove it and put it into ~/.pgpass (mode 0600) or PGPASSWORD`,
  },
  "password-file-shared": {
    exit: "usage",
    message: (d) => `the password file ${d.path} is accessible to others and is ignored`,
    remedy: (d) => `chmod 600 ${d.path}`,
  },
  "no-service": {
    exit: "usage",
    message: (d) => `there is no service '${d.service}' in ${d.path} or the system's pg_service.conf`,
    remedy: () => `add a section with its host, port and dbname, or correct PGSERVICE`,
  },
  "tls-mode": {
    exit: "usage",
    message: (d) => `sslmode '${d.mode}' is none of ${d.known}`,
    remedy: () => `omit it: by default, connections to other machines are encrypted and the server is verified`,
  },
  "tls-too-weak": {
    exit: "usage",
    message: (d) => `sslmode=${d.mode} lets anyone between here and ${d.host} read and change everything`,
    remedy: () => `omit it; or accept the risk with sslmode=insecure-unverified or sslmode=insecure-plain`,
  },
  "database-damaged": {
    exit: "found",
    message: (d) => `the experiment database ${d.path === undefined ? "" : `${d.path} `}is damaged: ${d.reason}`,
    remedy: () => `perfkeep rebuild experiments recreates it from the stored raw files and descriptions`,
  },
  "database-rebuilt": {
    exit: "host",
    message: (d) => `the experiment database ${d.path} was damaged; it has been rebuilt from its ledger`,
    remedy: () => `run the command again`,
  },
  "database-newer": {
    exit: "host",
    message: (d) => `the experiment database has layout ${d.found}, this program supports layouts up to ${d.known}`,
    remedy: () =>
      `use the perfkeep that wrote it, or a newer one; perfkeep rebuild experiments recreates it from its ledger`,
  },
  "database-refused": {
    exit: "badInput",
    message: (d) => `the database refused the statement: ${d.reason}`,
    remedy: () => `check the values and their types; nothing was stored`,
  },
  "statement-refused": {
    exit: "badInput",
    message: (d) => `invalid statement: ${d.reason}`,
    remedy: () => `perfkeep sql lists the views and their columns; only SELECT is supported`,
  },
  "database-unwritable": {
    exit: "host",
    message: (d) => `cannot write to the database: ${d.reason}`,
    remedy: () => `check free space and permissions; nothing was stored`,
  },
  "text-not-storable": {
    exit: "badInput",
    message: (d) =>
      `a text contains a NUL character, which no database column can store${d.column ? ` (column ${d.column})` : ""}`,
    remedy: () => `declare the variable as binary, or remove the character`,
  },
  "column-not-readable": {
    exit: "usage",
    message: (d) => `column '${d.column}' of the result has an unsupported type`,
    remedy: () => `cast it, for example to VARCHAR`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
