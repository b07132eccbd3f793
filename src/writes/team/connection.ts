/** Calls a team's database one statement at a time, over a connection that is opened when needed. */
import { codeOf } from "../../text/disk-words.ts";
import { notOwner, teamError } from "./failures.ts";

export type LedgerRow = Readonly<Record<string, unknown>>;

export interface SqlConnection {
  /** The version of TLS, or null for a connection that is not encrypted. */
  readonly tls: string | null;
  readonly user: string;
  /**
   * Executes one statement, unnamed, so that poolers in transaction mode work. Rejects when the
   * time limit of an answer is over. The connection is not usable after an error.
   */
  query(sql: string, values?: readonly unknown[]): Promise<readonly LedgerRow[]>;
  script(sql: string): Promise<void>;
  /** Ends the connection, at once if `isBroken`. Never rejects. */
  close(isBroken: boolean): Promise<void>;
}

/** Opens a connection. Rejects when the time limit of connecting is over. */
export type Connect = (signal?: AbortSignal) => Promise<SqlConnection>;

/** Runs work over a connection of its own, and closes that. Rejects with a team error. */
export async function withConnection<T>(
  connect: Connect,
  host: string,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  try {
    const connection = await connect();
    try {
      return await work(connection);
    } finally {
      await connection.close(false);
    }
  } catch (error) {
    throw teamError(error, host);
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

/** A connection that is replaced after an error. */
export interface LedgerConnection {
  /** Calls a function or a query whose one row has the answer as `r`. */
  ask(sql: string, values: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

export function ledgerConnection(connect: Connect): LedgerConnection {
  let open: SqlConnection | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const ended = new AbortController();

  const askNow = async (sql: string, values: readonly unknown[]) => {
    ended.signal.throwIfAborted();
    const connection = open ?? (await connect(ended.signal));
    open = connection;
    try {
      const [row] = await connection.query(sql, values);
      return row?.r;
    } catch (error) {
      // A call without an answer might still be running, and its answer would be that of the next.
      open = null;
      await connection.close(true);
      throw error;
    }
  };
  return {
    ask: (sql, values) => {
      const answer = last.then(() => askNow(sql, values));
      last = answer.catch(() => {});
      return answer;
    },
    close: async () => {
      const isWaiting = open !== null;
      ended.abort();
      const connection = open;
      open = null;
      if (isWaiting) await connection?.close(false);
    },
  };
}
