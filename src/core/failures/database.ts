import type { FailureKind } from "./kind.ts";

/** Failures of the experiment database. */
export const databaseFailures = {
  "no-database": {
    exit: "nothingMatched",
    message: (d) => `there is no experiment database at ${d.path} yet`,
    remedy: (d) =>
      `perfkeep experiment create FILE.exp makes it with its first experiment, ${d.engine === "postgres" ? "a dump of the server brings back a lost one" : "perfkeep rebuild experiments makes a lost one again"}`,
  },
  "database-busy": {
    exit: "host",
    message: (d) => `the experiment database ${d.path} is in use by ${d.pid ? `process ${d.pid}` : "another process"}`,
    remedy: (d) => `waited ${d.seconds} s; try again when that process has ended${d.pid ? ` (ps -p ${d.pid})` : ""}`,
  },
  "no-server-database": {
    exit: "nothingMatched",
    message: (d) => `the server ${d.host}:${d.port} has no database '${d.database}'`,
    remedy: (d) => `createdb -h ${d.host} -p ${d.port} ${d.database} makes an empty one`,
  },
  "database-unreachable": {
    exit: "host",
    message: (d) => `no PostgreSQL server answers at ${d.host}:${d.port}: ${d.reason}`,
    remedy: (d) =>
      `check host and port, and whether the server runs and accepts connections (pg_isready -h ${d.host} -p ${d.port})`,
  },
  "database-full": {
    exit: "host",
    message: (d) => `the server ${d.host}:${d.port} has no connection left for '${d.user}': ${d.reason}`,
    remedy: (d) =>
      `waited ${d.seconds} s; try again when others have ended, wait longer with lock_timeout=SECONDS in the address, or raise the server's max_connections`,
  },
  "database-untrusted": {
    exit: "untrusted",
    message: (d) => `the server ${d.host}:${d.port} cannot prove that it is ${d.host}: ${d.reason}`,
    remedy: () =>
      `name the authority that signed its certificate with sslrootcert=FILE in the address, or in PGSSLROOTCERT`,
  },
  "database-denied": {
    exit: "host",
    message: (d) => `the server ${d.host}:${d.port} does not let '${d.user}' in: ${d.reason}`,
    remedy: () => `check the user's name, and the password in PGPASSWORD, ~/.pgpass or the service file`,
  },
  "database-forbidden": {
    exit: "host",
    message: (d) => `'${d.user}' may not do that in the database: ${d.reason}`,
    remedy: () => `the owner of the database or of the experiment can grant it`,
  },
  "database-closed": {
    exit: "host",
    message: (d) => `'${d.user}' has no right to any experiment of this database`,
    remedy: (d) =>
      `the admins of an experiment can give one (perfkeep experiment grant read ${d.user} -e NAME), and ${d.owner} the right to create`,
  },
  "data-server-unreachable": {
    exit: "host",
    message: (d) =>
      `the server ${d.host}:${d.port} does not get to a server that holds parts of the experiment: ${d.reason}`,
    remedy: () =>
      `start that server, or check the way to it, and do it again (where its password changed, experiment distribute over the same servers first); perfkeep experiment check --fix mends what an import may have left`,
  },
  "no-data-server": {
    exit: "usage",
    message: () => `no data server is named`,
    remedy: () =>
      `name them with --over postgres://…,postgres://…; perfkeep experiment undistribute brings the rows back to one server`,
  },
  "data-server-password": {
    exit: "usage",
    message: (d) => `no password of '${d.user}' is known for the data server ${d.place}`,
    remedy: () =>
      `put it into ~/.pgpass (host:port:database:user:password), or into PGPASSWORD where all servers have the same`,
  },
  "data-server-given-twice": {
    exit: "usage",
    message: (d) => `--over names the data server ${d.place} more than once`,
    remedy: () => `name each once: every one of them gets the same share of the runs`,
  },
  "no-spreading": {
    exit: "usage",
    message: (d) => `experiment '${d.experiment}' cannot be spread over servers: ${d.reason}`,
    remedy: (d) => `${d.advice}`,
  },
  "wrapper-forbidden": {
    exit: "host",
    message: (d) => `'${d.user}' may not let the server ${d.host}:${d.port} go to other servers: ${d.reason}`,
    remedy: (d) => `once, a superuser has to say there, in the database ${d.database}: ${d.statements}`,
  },
  "parts-differ": {
    exit: "host",
    message: (d) => `part ${d.part} of experiment '${d.experiment}' holds ${d.found} where ${d.wanted} belong there`,
    remedy: () =>
      `nothing was taken away, the experiment is as before; do it again, and check the data server if it comes again`,
  },
  "right-missing": {
    exit: "host",
    message: (d) =>
      d.right === "create"
        ? `'${d.user}' may not make experiments in this database: the right create is missing`
        : `'${d.user}' may not do that with experiment '${d.experiment}': the right ${d.right} is missing`,
    remedy: (d) =>
      `ask ${d.grantors || "its owner"} for: perfkeep experiment grant ${d.right} ${d.user}${d.experiment ? ` -e ${d.experiment}` : ""}`,
  },
  "role-unknown": {
    exit: "usage",
    message: (d) => `the server has no user or group '${d.role}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => `on the server, createuser makes one; then give '${d.role}' the right again`,
  },
  "no-such-right": {
    exit: "nothingMatched",
    message: (d) =>
      d.isOwner
        ? `'${d.who}' owns experiment '${d.experiment}' and keeps all rights`
        : `'${d.who}' was not given the right ${d.right} to '${d.experiment}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) =>
      `perfkeep experiment access ${d.experiment} shows who was given which; members of a group have those of the group`,
  },
  "no-users": {
    exit: "usage",
    message: () => `a database that is a file knows no users: whoever may write the file may make experiments`,
    remedy: () => `change the permissions of the file`,
  },
  "server-not-named": {
    exit: "untrusted",
    message: (d) =>
      `${d.file} asks for the server ${d.address}, and nothing else names it: logging in there could give it your password`,
    remedy: (d) =>
      `--db ${d.address} says that it is meant (perfbase: --dbhost); --db PATH makes the experiment in a file`,
  },
  "database-lost": {
    exit: "host",
    message: (d) => `the connection to ${d.host}:${d.port} was lost: ${d.reason}`,
    remedy: () => `try again; what was not finished was not stored`,
  },
  "database-conflict": {
    exit: "host",
    message: (d) => `somebody else changed the same things at the same time: ${d.reason}`,
    remedy: () => `try again; nothing was stored`,
  },
  "database-timeout": {
    exit: "host",
    message: (d) => `the database ended the statement before it was done: ${d.reason}`,
    remedy: () => `ask for less, or raise statement_timeout in the address`,
  },
  "database-address": {
    exit: "usage",
    message: (d) => `the database address ${d.address} cannot be used: ${d.reason}`,
    remedy: () => `write it as postgres://user@host:port/database`,
  },
  "password-in-address": {
    exit: "usage",
    message: (d) => `the database address ${d.address} holds a password, which others can see there`,
    remedy: () => `take it out and put it into ~/.pgpass (mode 0600) or PGPASSWORD`,
  },
  "password-file-shared": {
    exit: "usage",
    message: (d) => `the password file ${d.path} can be opened by others and is not used`,
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
    remedy: () => `leave it out: connections that leave this machine are encrypted and the server is verified`,
  },
  "tls-too-weak": {
    exit: "usage",
    message: (d) => `sslmode=${d.mode} would let anybody between here and ${d.host} read and change everything`,
    remedy: () => `leave it out; or write sslmode=insecure-unverified or sslmode=insecure-plain where that is meant`,
  },
  "database-damaged": {
    exit: "found",
    message: (d) => `the experiment database ${d.path} cannot be opened: ${d.reason}`,
    remedy: () => `perfkeep rebuild experiments makes it again from the kept raw files and descriptions`,
  },
  "database-newer": {
    exit: "host",
    message: (d) => `the experiment database has layout ${d.found}, this program knows layouts up to ${d.known}`,
    remedy: () => `use the perfkeep that wrote it, or a newer one`,
  },
  "database-refused": {
    exit: "badInput",
    message: (d) => `the database refused the statement: ${d.reason}`,
    remedy: () => `check the values and their types; nothing was stored`,
  },
  "statement-refused": {
    exit: "badInput",
    message: (d) => `the database does not understand the statement: ${d.reason}`,
    remedy: () => `perfkeep sql lists the views and their columns; only SELECT is possible`,
  },
  "database-unwritable": {
    exit: "host",
    message: (d) => `the database cannot be written: ${d.reason}`,
    remedy: () => `check free space and permissions; nothing was stored`,
  },
  "text-not-storable": {
    exit: "badInput",
    message: (d) =>
      `a text holds a NUL character, which no database column can keep${d.column ? ` (column ${d.column})` : ""}`,
    remedy: () => `declare the variable as binary, or remove the character`,
  },
  "column-not-readable": {
    exit: "usage",
    message: (d) => `column '${d.column}' of the result has a type that tables cannot hold`,
    remedy: () => `cast it, for example to VARCHAR`,
  },
  "experiment-exists": {
    exit: "badInput",
    message: (d) =>
      `there is already an experiment '${d.experiment}'${d.place ? ` in ${d.place}` : ""} (upper and lower case do not differ)`,
    remedy: () => `choose another name, or remove the old one with perfkeep experiment delete`,
  },
  "no-move-target": {
    exit: "usage",
    message: () => `nothing says to which database experiments are to be moved`,
    remedy: () => `add --to embedded, --to PATH or --to postgres://user@host:port/database`,
  },
  "move-same-database": {
    exit: "usage",
    message: (d) => `experiments cannot be moved from ${d.place} to itself`,
    remedy: () => `--to names another database: embedded, a path, or postgres://user@host:port/database`,
  },
  "move-differs": {
    exit: "found",
    message: (d) => `'${d.experiment}' would not be the same in ${d.place}: the digests of its contents differ`,
    remedy: (d) => `nothing was moved; perfkeep experiment check ${d.experiment} looks for damage`,
  },
  "move-overtaken": {
    exit: "found",
    message: (d) => `'${d.experiment}' was changed here after a move that was killed had copied it to ${d.place}`,
    remedy: (d) =>
      `delete the copy there (perfkeep experiment delete ${d.experiment} --purge --db ${d.place}) and move again`,
  },
  "unknown-run": {
    exit: "nothingMatched",
    message: (d) => `experiment '${d.experiment}' has no run ${d.run}`,
    remedy: (d) => `perfkeep experiment info ${d.experiment} lists its runs`,
  },
  "unknown-deleted-run": {
    exit: "nothingMatched",
    message: (d) => `experiment '${d.experiment}' has no deleted run ${d.run}`,
    remedy: (d) => `perfkeep experiment info ${d.experiment} --deleted lists them all`,
  },
  "already-imported": {
    exit: "badInput",
    message: (d) => `${d.path} is already imported into '${d.experiment}' (run ${d.run}); nothing was imported`,
    remedy: () => `--force imports it once more`,
  },
  "given-twice": {
    exit: "badInput",
    message: (d) =>
      d.path === d.other
        ? `${d.path} is given twice; nothing was imported`
        : `${d.path} holds the same as ${d.other}; nothing was imported`,
    remedy: () => `leave one of them out, or import both with --force`,
  },
  "ledger-damaged": {
    exit: "found",
    message: (d) => `ledger entry ${d.entry} cannot be used: ${d.problem}`,
    remedy: () => `run perfkeep fsck; nothing was changed`,
  },
  "ledger-lost": {
    exit: "found",
    message: (d) => `the database cannot be rebuilt: ${d.problem}`,
    remedy: (d) => `${d.advice ?? "restore the missing objects from a copy of the store"}; nothing was replaced`,
  },
  "not-embedded": {
    exit: "usage",
    message: (d) => `${d.database} is a database of a server, which is not rebuilt from here`,
    remedy: () => `restore it from a dump of the server; --db PATH rebuilds an embedded one`,
  },
  "attachment-exists": {
    exit: "badInput",
    message: (d) => `experiment '${d.experiment}' already has an attachment '${d.name}'`,
    remedy: (d) => `choose another name, or remove it first: perfkeep attach delete ${d.experiment} ${d.name}`,
  },
  "unknown-attachment": {
    exit: "nothingMatched",
    message: (d) =>
      `experiment '${d.experiment}' has no attachment '${d.name}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => `perfkeep attach list ${d.experiment} shows those it has`,
  },
  "bad-attachment": {
    exit: "badInput",
    message: (d) => `${d.path} cannot be attached: ${d.problem}`,
    remedy: () =>
      `attachments are descriptions of experiments, updates, inputs, queries and plots; give the name with --name`,
  },
  "unknown-parameter-set": {
    exit: "nothingMatched",
    message: (d) =>
      `experiment '${d.experiment}' has no parameter set '${d.set}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => (d.known ? `it has ${d.known}` : `perfkeep import --pset-store stores one`),
  },
  "no-such-source": {
    exit: "nothingMatched",
    message: (d) => `no run of '${d.experiment}' came from ${d.path}`,
    remedy: (d) => `perfkeep experiment info ${d.experiment} lists the files of its runs`,
  },
  "fixed-twice": {
    exit: "usage",
    message: (d) => `'${d.variable}' is given twice`,
    remedy: () => `give each content once`,
  },
  "file-changed": {
    exit: "badInput",
    message: (d) => `${d.path} changed while it was read; nothing was imported`,
    remedy: () => `import it when nothing writes to it any more`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
