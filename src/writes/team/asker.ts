/** Executes statements in a team's database, and checks the shape of their answers. */
import * as z from "zod/mini";
import type { TeamNames } from "../../settings/team-access.ts";
import type { LedgerConnection } from "./connection.ts";
import { teamError, unreadableAnswer } from "./failures.ts";
import { keysVersion, ledgerVersion } from "./schema/schema.ts";

/** The statements of one ledger. */
export interface Statements {
  /** The quoted name of the schema. */
  readonly schema: string;
  /** Executes a statement whose one row has the answer as `r`. */
  query<T>(shape: z.ZodMiniType<T>, sql: string, ...values: readonly unknown[]): Promise<T>;
  /** Calls a function of the ledger. Objects are passed as JSON, and bytes as they are. */
  call<T>(shape: z.ZodMiniType<T>, name: string, ...values: readonly unknown[]): Promise<T>;
}

/** Asks about one service. Every call rejects with a team error. */
export interface Asker extends Statements {
  /** The key of the service. */
  readonly service: string;
  readonly names: TeamNames;
}

/** The database of a ledger. */
export interface LedgerPlace {
  /** The host, for messages. */
  readonly host: string;
  readonly schema: string;
}

export interface AskerOptions extends LedgerPlace {
  readonly service: string;
  readonly names: TeamNames;
}

/** Returns statements that reject with the error of the connection, or of an unreadable answer. */
export function statementsOver(
  connection: LedgerConnection,
  { host, schema: name }: LedgerPlace,
): Statements {
  const schema = `"${name}"`;
  const query: Statements["query"] = async (shape, sql, ...values) => {
    const answer = z.safeParse(shape, await connection.ask(sql, values));
    if (answer.success) return answer.data;
    throw unreadableAnswer(host);
  };
  return {
    schema,
    query,
    call: (shape, name, ...given) => {
      const values = [ledgerVersion, keysVersion, ...given.map(asParameter)];
      const places = values.map((_, at) => `$${at + 1}`).join(", ");
      return query(shape, `SELECT ${schema}.${name}(${places}) AS r`, ...values);
    },
  };
}

/** Returns the same statements with team errors. */
export function withTeamErrors({ schema, query, call }: Statements, host: string): Statements {
  const asTeamError = (error: unknown) => Promise.reject(teamError(error, host));
  return {
    schema,
    query: (...given) => query(...given).catch(asTeamError),
    call: (...given) => call(...given).catch(asTeamError),
  };
}

export function askerOver(connection: LedgerConnection, options: AskerOptions): Asker {
  const { host, service, names } = options;
  return { ...withTeamErrors(statementsOver(connection, options), host), service, names };
}

function asParameter(value: unknown): unknown {
  if (value instanceof Uint8Array) return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
