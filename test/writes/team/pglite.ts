/** PostgreSQL in this process. It has one session, so each call takes the login that it is made with. */
import { PGlite } from "@electric-sql/pglite";
import type { SqlConnection } from "../../../src/writes/team/connection.ts";
import type { TestDatabase } from "./sql-world.ts";

/** Opens the database. `close` ends it. */
export async function pgliteDatabase(): Promise<
  TestDatabase & { readonly close: () => Promise<void> }
> {
  const database = await PGlite.create();
  let last: Promise<unknown> = Promise.resolve();
  let current = "postgres";
  const alone = <T>(login: string, work: () => Promise<T>): Promise<T> => {
    const done = last.then(async () => {
      if (current !== login) await database.exec(`SET SESSION AUTHORIZATION "${login}"`);
      current = login;
      return work();
    });
    last = done.catch(() => {});
    return done;
  };
  const connection = (login: string): SqlConnection => ({
    tls: null,
    user: login,
    query: (sql, values = []) =>
      alone(
        login,
        async () => (await database.query<Record<string, unknown>>(sql, [...values])).rows,
      ),
    script: async (sql) => {
      await alone(login, () => database.exec(sql));
    },
    close: async () => {},
  });
  return {
    owner: connection("postgres"),
    connectAs: (login) => async () => connection(login),
    close: () => database.close(),
  };
}
