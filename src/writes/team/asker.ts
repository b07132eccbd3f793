/** Asks a team's database, and checks the shape of its answers. */
import * as z from "zod/mini";
import type { TeamNames } from "../../settings/team-access.ts";
import type { LedgerConnection } from "./connection.ts";
import { teamError, unreadableAnswer } from "./failures.ts";
import { keysVersion, ledgerVersion } from "./schema/schema.ts";

/** Asks about one service. Every call rejects with a team error. */
export interface Asker {
  /** The quoted name of the schema. */
  readonly schema: string;
  /** The key of the service. */
  readonly service: string;
  readonly names: TeamNames;
  query<T>(shape: z.ZodMiniType<T>, sql: string, ...values: readonly unknown[]): Promise<T>;
  /** Calls a function of the ledger. Objects are passed as JSON. */
  call<T>(shape: z.ZodMiniType<T>, name: string, ...values: readonly unknown[]): Promise<T>;
}

export interface AskerOptions {
  readonly service: string;
  readonly names: TeamNames;
  /** The host of the database, for messages. */
  readonly host: string;
  readonly schema: string;
}

export function askerOver(connection: LedgerConnection, options: AskerOptions): Asker {
  const { host, service, names } = options;
  const schema = `"${options.schema}"`;
  const query: Asker["query"] = async (shape, sql, ...values) => {
    const given = await connection.ask(sql, values).catch((error: unknown) => {
      throw teamError(error, host);
    });
    const answer = z.safeParse(shape, given);
    if (answer.success) return answer.data;
    throw unreadableAnswer(host);
  };
  return {
    schema,
    service,
    names,
    query,
    call: (shape, name, ...given) => {
      const values = [ledgerVersion, keysVersion, ...given.map(asParameter)];
      const places = values.map((_, at) => `$${at + 1}`).join(", ");
      return query(shape, `SELECT ${schema}.${name}(${places}) AS r`, ...values);
    },
  };
}

function asParameter(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
