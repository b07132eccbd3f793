/**
 * PostgreSQL in this process, of which all files of the process share one, because it takes a second to
 * start. It has one session, so each call takes the login that it is made with.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import lock from "../../../package.json" with { type: "json" };
import type { SqlConnection } from "../../../src/writes/team/connection.ts";
import type { TestDatabase } from "./sql-world.ts";

/** The files of a new cluster: reading them takes a third of the time that creating them takes. */
const version = lock.devDependencies["@electric-sql/pglite"];
const image = resolve(import.meta.dirname, `../../../node_modules/.cache/pglite-${version}.tar`);

async function fromImage(): Promise<PGlite> {
  const bytes = await readFile(image).catch(() => null);
  if (bytes !== null) return PGlite.create({ loadDataDir: new Blob([bytes]) });
  const database = await PGlite.create();
  const files = await database.dumpDataDir("none");
  // Put in place whole: another process of the tests may be reading it.
  const next = `${image}.${crypto.randomUUID()}`;
  await mkdir(dirname(image), { recursive: true });
  await writeFile(next, Buffer.from(await files.arrayBuffer()));
  await rename(next, image);
  return database;
}

let started: Promise<TestDatabase> | null = null;

export function pgliteDatabase(): Promise<TestDatabase> {
  started ??= start();
  return started;
}

async function start(): Promise<TestDatabase> {
  const database = await fromImage();
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
  };
}
