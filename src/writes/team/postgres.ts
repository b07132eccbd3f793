/**
 * Connects to a team's database with the PostgreSQL driver. This is the only file that loads it, and
 * only for a profile with a team.
 */
import { TLSSocket } from "node:tls";
import { Client } from "pg";
import { AppError } from "../../errors/app-error.ts";
import type { TeamAccess, TeamLogin } from "../../settings/team-access.ts";
import { type Connect, ledgerConnection, type SqlConnection } from "./connection.ts";
import type { OpenLedger } from "./ledger.ts";
import type { OpenMemory } from "./memory.ts";
import { sqlLedger } from "./sql-ledger.ts";

/** Time limit of connecting, and of one answer, in milliseconds. */
const answerMs = 5_000;

/** Time limit of a farewell, in milliseconds. The database ends a lost connection by itself. */
const farewellMs = 500;

export function connectTo(access: TeamAccess, limitMs: number = answerMs): Connect {
  return async (signal) => {
    const login = await access.login(signal);
    const client = clientFor(access, login, limitMs);
    // An error between two calls ends the connection, and the next call reports it.
    client.on("error", () => {});
    const destroy = () => client.connection.stream.destroy();
    signal?.addEventListener("abort", destroy, { once: true });
    client.once("end", () => signal?.removeEventListener("abort", destroy));
    try {
      signal?.throwIfAborted();
      await client.connect();
      return connectionOf(client, login.user);
    } catch (error) {
      destroy();
      throw error;
    }
  };
}

/** Opens the ledger of a team. Nothing is connected before the first call. */
export const openLedger: OpenLedger = (access, options) => {
  const { host, schema } = access.address;
  return sqlLedger(ledgerConnection(connectTo(access)), { ...options, host, schema });
};

/** Opens the memory of a team. Nothing is connected before the first call. */
export const openMemory: OpenMemory = async (access, options) => {
  const { host, schema } = access.address;
  const { sqlMemory } = await import("./sql-memory.ts");
  return sqlMemory(ledgerConnection(connectTo(access)), { ...options, host, schema });
};

type ReadsEnvironment = Client & {
  readonly connectionParameters: { options?: string | undefined; replication?: string | undefined };
};

/** Returns a client whose every parameter is set here, because it reads the environment otherwise. */
function clientFor({ address, ca }: TeamAccess, login: TeamLogin, limitMs: number): Client {
  const { host, port, database, isEncrypted } = address;
  const client = new Client({
    host,
    port,
    database,
    user: login.user,
    password: () => passwordOf(login),
    ssl: isEncrypted ? { ca, rejectUnauthorized: true, minVersion: "TLSv1.2" } : false,
    sslnegotiation: "postgres",
    application_name: "supplyline",
    client_encoding: "utf8",
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    keepAlive: true,
    pipeline: true,
  });
  // PGOPTIONS could switch off what a claim relies on, and poolers refuse it.
  const { connectionParameters } = client as ReadsEnvironment;
  connectionParameters.options = undefined;
  connectionParameters.replication = undefined;
  return client;
}

/** Returns the password, only if the database asks for one. */
function passwordOf({ password }: TeamLogin): string {
  if (password !== null) return password;
  throw new AppError("team", "team-credentials", "the team's database asks for a password", {
    remedy:
      "Set `--team-credential-helper`, PGPASSWORD or PGPASSFILE; the password is never part of the address.",
  });
}

function connectionOf(client: Client, user: string): SqlConnection {
  const { stream } = client.connection;
  return {
    user,
    tls: stream instanceof TLSSocket ? stream.getProtocol() : null,
    query: async (sql, values = []) => {
      const { rows } = await client.query({ text: sql, values: [...values] });
      return rows;
    },
    script: async (sql) => {
      await client.query(sql);
    },
    close: async (isBroken) => {
      if (isBroken) {
        stream.destroy();
        return;
      }
      const late = setTimeout(() => stream.destroy(), farewellMs);
      await client.end().catch(() => {});
      clearTimeout(late);
    },
  };
}
