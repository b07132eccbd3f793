/** Calls a team's database over one connection, which is opened when needed. */
import { codeOf } from "../../text/disk-words.ts";
import { notOwner, teamError } from "./failures.ts";

export type LedgerRow = Readonly<Record<string, unknown>>;

export interface SqlConnection {
  /** The version of TLS, or null for a connection that is not encrypted. */
  readonly tls: string | null;
  readonly user: string;
  /**
   * Executes one statement, unnamed, so that poolers in transaction mode work. Statements are sent at
   * once and executed in their order, each in a transaction of its own. Rejects when the time limit of
   * an answer is over. The connection is not
   * usable after an error, except a conflict or a refusal.
   */
  query(sql: string, values?: readonly unknown[]): Promise<readonly LedgerRow[]>;
  script(sql: string): Promise<void>;
  /** Ends the connection, at once if `isBroken`. Never rejects. */
  close(isBroken: boolean): Promise<void>;
}

/** Opens a connection. Rejects when the time limit of connecting is over. */
export type Connect = (signal?: AbortSignal) => Promise<SqlConnection>;

/**
 * Runs work over a connection of its own, and closes that. Rejects with the team error that `described`
 * returns for a failure. Default: `teamError`.
 */
export async function withConnection<T>(
  connect: Connect,
  host: string,
  work: (connection: SqlConnection) => Promise<T>,
  described: typeof teamError = teamError,
): Promise<T> {
  try {
    const connection = await connect();
    try {
      return await work(connection);
    } finally {
      await connection.close(false);
    }
  } catch (error) {
    throw described(error, host);
  }
}

/** Runs work that only the owner of the ledger can do. Rejects with a team error. */
export function withOwnerConnection<T>(
  connect: Connect,
  host: string,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  return withConnection(connect, host, (connection) =>
    work(connection).catch((error: unknown) => {
      throw codeOf(error) === "42501" ? notOwner() : error;
    }),
  );
}

/** SQLSTATE of a conflict with another session, or of a refusal by a function of the ledger. */
const sessionGoesOn = /^(?:40|55|SL)...$/;

/** A connection that is replaced after an error. */
export interface LedgerConnection {
  /** Connects before the next call, whose failure it is if that fails. */
  open(): void;
  /**
   * Calls a function or a query whose one row has the answer as `r`. Calls are executed in their order,
   * and none waits here for the answer to an earlier one.
   */
  ask(sql: string, values: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

export function ledgerConnection(connect: Connect): LedgerConnection {
  let opening: Promise<SqlConnection> | null = null;
  let open: SqlConnection | null = null;
  const ended = new AbortController();

  const connectNow = async () => {
    open = await connect(ended.signal);
    return open;
  };
  return {
    open: () => {
      opening ??= connectNow();
      opening.catch(() => {});
    },
    ask: async (sql, values) => {
      ended.signal.throwIfAborted();
      opening ??= connectNow();
      const used = opening;
      try {
        const [row] = await (await used).query(sql, values);
        return row?.r;
      } catch (error) {
        if (sessionGoesOn.test(codeOf(error))) throw error;
        // Calls without an answer might still be running, and their answers would be those of the next.
        if (used === opening) {
          const broken = open;
          opening = null;
          open = null;
          await broken?.close(true);
        }
        throw error;
      }
    },
    close: async () => {
      const last = open;
      opening = null;
      open = null;
      ended.abort();
      await last?.close(false);
    },
  };
}
