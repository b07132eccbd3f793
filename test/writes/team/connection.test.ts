/** Calls over one connection to a team's database: their order, and errors between them. */
import { type LedgerRow, ledgerConnection } from "../../../src/writes/team/connection.ts";

interface Sent {
  readonly sql: string;
  readonly answer: (rows: readonly LedgerRow[]) => void;
  readonly fail: (error: unknown) => void;
}

/** A database that answers when the test does, with the number of its connections. */
function openDatabase() {
  const sent: Sent[] = [];
  const opened: { broken: boolean | null }[] = [];
  const connection = ledgerConnection(async () => {
    const one: (typeof opened)[number] = { broken: null };
    opened.push(one);
    return {
      tls: null,
      user: "member",
      query: (sql) =>
        new Promise((answer, fail) => {
          sent.push({ sql, answer, fail });
        }),
      script: async () => {},
      close: async (isBroken) => {
        one.broken = isBroken;
      },
    };
  });
  /** Calls, and resolves when the statement was sent. */
  const call = async (sql: string) => {
    const result = connection.ask(sql, []).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    return { result };
  };
  const statement = (sql: string) => {
    const found = sent.find((one) => one.sql === sql);
    if (found === undefined) throw new Error(`${sql} was not sent.`);
    return found;
  };
  return { connection, opened, call, statement };
}

const failure = (code: string) => Object.assign(new Error("failed"), { code });

test("a call is sent before earlier ones are answered, over one connection", async () => {
  const { opened, call, statement } = openDatabase();
  const [first, second] = [await call("first"), await call("second")];
  statement("second").answer([{ r: 2 }]);
  expect(await second.result).toBe(2);
  statement("first").answer([{ r: 1 }]);
  expect(await first.result).toBe(1);
  expect(opened).toHaveLength(1);
});

test.each(["40P01", "55P03", "SL002"])(
  "after a conflict or a refusal (%s), the connection stays",
  async (code) => {
    const { opened, call, statement } = openDatabase();
    const [first, second] = [await call("first"), await call("second")];
    statement("first").fail(failure(code));
    expect(await first.result).toMatchObject({ code });
    statement("second").answer([{ r: 2 }]);
    expect(await second.result).toBe(2);
    await call("third");
    expect(opened).toEqual([{ broken: null }]);
  },
);

test.each(["57P01", "ECONNRESET", "42883", ""])(
  "after another error (%j), the next call has a new connection",
  async (code) => {
    const { opened, call, statement } = openDatabase();
    const [first, second] = [await call("first"), await call("second")];
    for (const sql of ["first", "second"]) statement(sql).fail(failure(code));
    expect(await first.result).toMatchObject({ code });
    expect(await second.result).toMatchObject({ code });
    await call("third");
    expect(opened).toEqual([{ broken: true }, { broken: null }]);
  },
);

test("an error of a replaced connection does not close its successor", async () => {
  const { opened, call, statement } = openDatabase();
  const [first, second] = [await call("first"), await call("second")];
  statement("first").fail(failure("57P01"));
  await first.result;
  await call("third");
  statement("second").fail(failure("57P01"));
  await second.result;
  expect(opened).toEqual([{ broken: true }, { broken: null }]);
});

test("a connection that was opened early is used by the next call", async () => {
  const { connection, opened, call } = openDatabase();
  connection.open();
  connection.open();
  expect(opened).toHaveLength(1);
  await call("first");
  expect(opened).toHaveLength(1);
});

test("a connection that could not be opened early fails the next call, and the one after connects", async () => {
  const errors = [failure("ECONNREFUSED"), failure("ECONNREFUSED")];
  const connection = ledgerConnection(async () => {
    throw errors.shift();
  });
  connection.open();
  await expect(connection.ask("first", [])).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(errors).toHaveLength(1);
  await expect(connection.ask("second", [])).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(errors).toEqual([]);
});

test("a closed connection opens no other", async () => {
  const { connection, opened, call, statement } = openDatabase();
  const first = await call("first");
  statement("first").answer([]);
  await first.result;
  await connection.close();
  await expect(connection.ask("second", [])).rejects.toThrow();
  expect(opened).toEqual([{ broken: false }]);
});
