/**
 * Promise: the ledger keeps its contract in a real cluster of PostgreSQL, also under what only several
 * sessions, a lost connection, a stopped or frozen server, and TLS can show.
 */
import { chmodSync, chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/api/clock.ts";
import type { TeamAccess } from "../../src/settings/team-access.ts";
import { ledgerConnection } from "../../src/writes/team/connection.ts";
import { initLedger } from "../../src/writes/team/init-ledger.ts";
import type { ClaimRequest } from "../../src/writes/team/ledger.ts";
import { connectTo } from "../../src/writes/team/postgres.ts";
import { sqlLedger } from "../../src/writes/team/sql-ledger.ts";
import { certificate, hasOpenssl } from "../api/tls-servers.ts";
import { type Cluster, clusterPrograms, startCluster } from "../helpers/cluster.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { ledgerContract } from "../writes/team/contract.ts";
import { compareGuards } from "../writes/team/guards.ts";
import { asOwner, type SqlWorld, sqlWorld, type TestDatabase } from "../writes/team/sql-world.ts";
import { Folder, Machine } from "../writes/team/world.ts";

if (clusterPrograms === null)
  console.warn("SKIPPED: PostgreSQL is not on this machine, so no ledger runs in a real cluster.");

let cluster: Cluster;
let database: TestDatabase;

function accessAs(login: string, more: Partial<TeamAccess["address"]> = {}): TeamAccess {
  const address = { host: "127.0.0.1", port: cluster.port, database: "postgres", user: login };
  return {
    address: { ...address, schema: "tested", isEncrypted: false, ...more },
    ca: undefined,
    login: async () => ({ user: login, password: null }),
  };
}

const connectAs = (login: string) => connectTo(accessAs(login));

const ran = describe.skipIf(clusterPrograms === null);

if (clusterPrograms !== null) {
  beforeAll(async () => {
    cluster = await startCluster();
    database = { owner: await connectAs("owner")(), connectAs };
  });

  afterAll(async () => {
    await database.owner.close(true);
    cluster[Symbol.dispose]();
  });
}

const kinds = async (answers: readonly Promise<{ readonly kind: string }>[]) =>
  (await Promise.all(answers)).map(({ kind }) => kind).toSorted();

const count = (words: readonly string[]) =>
  Object.fromEntries(
    [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]),
  );

/** Adds machines, each with a connection. */
async function machines(world: SqlWorld, number: number): Promise<readonly Machine[]> {
  const all: Machine[] = [];
  for (let n = 0; n < number; n++) all.push(await world.machine(`m${n}`));
  return all;
}

ran("a ledger in a cluster", () => {
  ledgerContract(() => sqlWorld(database));

  test("its guard finds what the guard of the journal finds, in random histories", async () => {
    const found = await compareGuards(() => sqlWorld(database), 150);
    expect(Object.keys(found)).toHaveLength(4);
  });
});

ran("machines that claim at the same moment", () => {
  test("of fifty claims of one payment, one is granted", async () => {
    const all = await machines(await sqlWorld(database), 50);
    const answers = all.map((machine) => machine.claim(machine.request([{ key: "payment" }])));
    expect(count(await kinds(answers))).toEqual({ claimed: 1, barred: 49 });
  });

  test("two machines with the same items in opposite orders share them, and none waits in a circle", async () => {
    const [a, b] = await machines(await sqlWorld(database), 2);
    const items = Array.from({ length: 200 }, (_, n) => `item ${n}`);
    const claims = (machine: Machine | undefined, keys: readonly string[]) =>
      keys.map((key) => machine?.claim(machine.request([{ key }], { account: key })));
    const answers = [...claims(a, items), ...claims(b, items.toReversed())];
    const ended = await kinds(answers.flatMap((answer) => answer ?? []));
    expect(count(ended)).toEqual({ claimed: 200, barred: 200 });
  });

  /** Returns the number of claims that are granted of twenty at once, of other items for one account. */
  async function grantedAtOnce(world: SqlWorld, account: string): Promise<number> {
    const all = await machines(world, 20);
    const answers = all.map((one, n) =>
      one.claim(one.request([{ key: `${account} ${n}` }], { account })),
    );
    return count(await kinds(answers)).claimed ?? 0;
  }

  test("of twenty claims for one account, one is granted, and a claim without the lock is noticed", async () => {
    const world = await sqlWorld(database);
    for (let round = 0; round < 5; round++)
      expect(await grantedAtOnce(world, `locked ${round}`)).toBe(1);
    let most = 0;
    await withoutLock(world, async () => {
      for (let round = 0; round < 20 && most < 2; round++)
        most = Math.max(most, await grantedAtOnce(world, `free ${round}`));
    });
    expect(most).toBeGreaterThan(1);
  });

  test("without the lock of the account, the index still grants only one claim", async () => {
    const world = await sqlWorld(database);
    await withoutLock(world, async () => {
      for (let round = 0; round < 5; round++) {
        const all = await machines(world, 20);
        const account = `account ${round}`;
        const answers = all.map((one) =>
          one.claim(one.request([{ key: `item ${round}` }], { account })),
        );
        const ended = count(await kinds(answers));
        expect(ended.claimed).toBe(1);
      }
    });
  });

  /** Executes work while claims take no lock. */
  async function withoutLock(world: SqlWorld, work: () => Promise<void>): Promise<void> {
    const source = await world.run(
      "SELECT pg_get_functiondef('LEDGER.lock_accounts'::regproc) AS r",
    );
    await world.run(
      "CREATE OR REPLACE FUNCTION LEDGER.lock_accounts(p_ledger uuid, p_entries jsonb) RETURNS void LANGUAGE sql AS 'SELECT'",
    );
    try {
      await work();
    } finally {
      await world.run(String(source[0]?.r));
    }
  }
});

ran("the rights of a member", () => {
  test("a member executes its functions and no other", async () => {
    const world = await sqlWorld(database);
    const login = await world.login("member");
    const rows = await world.run(
      `SELECT p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = $1 AND has_function_privilege($2, p.oid, 'EXECUTE') ORDER BY 1`,
      world.schema,
      login,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      ...["add_cohort", "append", "ask", "begin_fold", "claim", "close", "confirm_list", "decide"],
      ...["end_fold", "hold_back", "leave", "publish", "put_part", "renew", "request"],
      ...["rows_left", "standing"],
    ]);
  });

  test("a member reads no token, and changes no table", async () => {
    const world = await sqlWorld(database);
    const connect = world.connectAs(await world.login("member"));
    const tables = [
      ...["ledger", "journal", "entry", "item", "account_lock", "event", "run"],
      ...["policy", "approval", "approval_row", "cohort"],
      ...["list", "observation", "held_list", "list_part", "list_machine"],
    ];
    const refused = [
      `SELECT token FROM "${world.schema}".entry`,
      `SELECT * FROM "${world.schema}".entry`,
      `CREATE TABLE "${world.schema}".mine (a int)`,
      `SELECT "${world.schema}".retain()`,
      ...tables.flatMap((table) => [
        `DELETE FROM "${world.schema}".${table}`,
        `TRUNCATE "${world.schema}".${table}`,
        `INSERT INTO "${world.schema}".${table} DEFAULT VALUES`,
      ]),
    ];
    for (const sql of refused) {
      const connection = await connect();
      await expect(connection.query(sql)).rejects.toMatchObject({ code: "42501" });
      await connection.close(true);
    }
  });

  test("a login without the role, another isolation and the owner are refused", async () => {
    const world = await sqlWorld(database);
    await world.run("DROP ROLE IF EXISTS tested_stranger");
    await world.run("CREATE ROLE tested_stranger LOGIN");
    const member = await world.machine("strict");
    await world.run(
      `ALTER ROLE "${world.schema}_strict" SET default_transaction_isolation = 'repeatable read'`,
    );
    const folder = new Folder("owner");
    const owner = new Machine(
      folder,
      sqlLedger(ledgerConnection(connectAs("owner")), {
        ...{ host: "test", schema: world.schema, service: "s", user: folder },
        ...{ clock: systemClock, random: () => 0.5 },
      }),
    );
    const stranger = new Machine(folder, world.ledgerFor("stranger", folder));
    for (const machine of [stranger, member, owner]) {
      const answer = await machine.claim(machine.request([{ key: "item" }]));
      expect(answer).toMatchObject({ kind: "away", error: { kind: "team-not-set-up" } });
    }
    await owner.ledger.close();
  });

  test.each([
    ["version", "version"],
    ["item keys", "keys"],
  ])("a ledger with another %s is refused", async (_, column) => {
    const world = await sqlWorld(database);
    const machine = await world.machine("a");
    await world.run(`UPDATE LEDGER.ledger SET ${column} = ${column} + 1`);
    try {
      const answer = await machine.claim(machine.request([{ key: "item" }]));
      expect(answer).toMatchObject({ kind: "away", error: { kind: "team-version" } });
      if (column === "version")
        await expect(
          initLedger(asOwner(database.owner), { host: "test", schema: world.schema }),
        ).rejects.toMatchObject({ kind: "team-version" });
    } finally {
      // The failed initialization left its transaction open.
      await world.run("ROLLBACK");
      await world.run(`UPDATE LEDGER.ledger SET ${column} = ${column} - 1`);
    }
  });
});

/** Number of entries of indexes that a write may read, however many the ledger has. */
const mostReadByIndex = 20;

ran("the cost of a write", () => {
  test("no table and no index is read as a whole after 400 writes, and a write is two calls", async () => {
    const world = await sqlWorld(database);
    const [machine] = await machines(world, 1);
    if (machine === undefined) return;
    const write = async (n: number) => {
      const request = machine.request([{ key: `item ${n}` }], { account: `account ${n}` });
      expect((await machine.claim(request)).kind).toBe("claimed");
      await machine.publish(request, "confirmed");
    };
    for (let n = 0; n < 50; n++) await write(n);
    const scans = async () => {
      // Counters of a session arrive when it is idle for a second, or when it ends.
      await machine.ledger.close();
      const rows = await world.run(
        `SELECT relname AS name, seq_tup_read AS read FROM pg_stat_user_tables
         WHERE schemaname = $1 AND relname IN ('entry', 'item', 'event')`,
        world.schema,
      );
      return Object.fromEntries(rows.map(({ name, read }) => [name, Number(read)]));
    };
    /** The entries of indexes that were read, whatever for. */
    const readByIndex = async () => {
      const [row] = await world.run(
        `SELECT sum(idx_tup_read)::int AS read FROM pg_stat_user_indexes
         WHERE schemaname = $1 AND relname IN ('entry', 'item', 'event')`,
        world.schema,
      );
      return Number(row?.read);
    };
    const first = await scans();
    const before = await readByIndex();
    const other = new Machine(machine.folder, world.ledgerFor("m0", machine.folder));
    other.nextId = machine.nextId;
    for (let n = 100; n < 500; n++) {
      const request = other.request([{ key: `item ${n}` }], { account: `account ${n}` });
      expect((await other.claim(request)).kind).toBe("claimed");
      await other.publish(request, "confirmed");
    }
    await other.ledger.close();
    expect(await scans()).toEqual(first);
    expect((await readByIndex()) - before).toBeLessThan(400 * mostReadByIndex);
  });
});

ran("a database that goes away", () => {
  const limitMs = 1_500;

  /** Asks until the database answers: a busy machine can take longer than the limit. */
  async function answered(machine: Machine, request: ClaimRequest) {
    for (;;) {
      const answer = await machine.claim(request);
      if (answer.kind !== "away") return answer.kind;
    }
  }

  const published = (machine: Machine, request: ClaimRequest): Promise<readonly number[]> =>
    machine.publish(request, "unsent").catch(() => published(machine, request));

  /** Adds a machine whose patience is short. */
  async function impatient(world: SqlWorld, name: string): Promise<Machine> {
    const login = await world.login(name);
    const folder = new Folder(name);
    const connection = ledgerConnection(connectTo(accessAs(login), limitMs));
    const ledger = sqlLedger(connection, {
      ...{ host: "127.0.0.1", schema: world.schema, service: "https://service.example" },
      ...{ user: folder, clock: systemClock, random: () => 0.5, patienceMs: 0 },
    });
    return new Machine(folder, ledger);
  }

  test("a claim of a stopped database is away, and is granted after the start", async () => {
    const world = await sqlWorld(database);
    const machine = await impatient(world, "short");
    const request = machine.request([{ key: "item" }]);
    cluster.kill();
    const away = await machine.claim(request);
    await expect(machine.publish(request, "unsent")).rejects.toMatchObject({
      kind: "team-unavailable",
    });
    cluster.start();
    await database.owner.close(true);
    database = { ...database, owner: await connectAs("owner")() };
    expect(away).toMatchObject({ kind: "away", error: { kind: "team-unavailable" } });
    expect(await answered(machine, request)).toBe("claimed");
    await machine.ledger.close();
  });

  test("a claim that a frozen database carries out late does not send, and bars until it is given up", async () => {
    const world = await sqlWorld(database);
    const [machine, colleague] = [await impatient(world, "a"), await impatient(world, "b")];
    const early = machine.request([{ key: "another item" }], { account: "another" });
    expect(await answered(machine, early)).toBe("claimed");
    const request = machine.request([{ key: "item" }]);
    cluster.signal("SIGSTOP");
    const away = await machine.claim(request);
    cluster.signal("SIGCONT");
    expect(away.kind).toBe("away");
    expect(await published(machine, request)).toEqual([]);
    expect(await answered(machine, request)).toBe("barred");
    expect(await answered(colleague, colleague.request([{ key: "item" }]))).toBe("claimed");
    await machine.ledger.close();
    await colleague.ledger.close();
  });

  test("a read-only standby counts as away", async () => {
    const world = await sqlWorld(database);
    const machine = await impatient(world, "short");
    await world.run(`ALTER ROLE "${world.schema}_short" SET default_transaction_read_only = on`);
    const answer = await machine.claim(machine.request([{ key: "item" }]));
    expect(answer).toMatchObject({ kind: "away", error: { kind: "team-unavailable" } });
    await machine.ledger.close();
    await world.run(`ALTER ROLE "${world.schema}_short" RESET default_transaction_read_only`);
  });

  test("a canceled claim answers at once", async () => {
    const world = await sqlWorld(database);
    const machine = await impatient(world, "short");
    const ending = new AbortController();
    const answer = machine.ledger.claim(machine.request([{ key: "item" }]), ending.signal);
    ending.abort();
    expect(await answer).toMatchObject({ kind: "away" });
    await machine.ledger.close();
  });
});

ran("commands with a ledger", () => {
  test("an owner initializes the ledger once, and a member reads its state", async () => {
    await using folders = await openFolders();
    const team = `postgresql://owner@127.0.0.1:${cluster.port}/postgres?schema=commanded`;
    const env = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:1", SUPPLYLINE_TEAM: team };
    for (const word of ["created", "already exists"]) {
      const { code, stderr } = await runCommand(["team", "init"], { env, folders });
      expect(code).toBe(0);
      expect(stderr).toContain(word);
    }
    const owner = database.owner;
    await owner.query("DROP ROLE IF EXISTS commanded_op");
    await owner.query("CREATE ROLE commanded_op LOGIN");
    const member = { ...env, SUPPLYLINE_TEAM: team.replace("owner", "commanded_op") };
    expect((await runCommand(["team", "status"], { env: member, folders })).code).toBe(2);
    await owner.query("GRANT commanded_ci TO commanded_op");
    const { code, stdout } = await runCommand(["team", "status", "--json"], {
      env: member,
      folders,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ login: "commanded_op", rights: "ci", ledger_version: 1, tls: null, restored_at: null },
      ...{ unknown: 0, machines: [] },
    });
    await owner.query("UPDATE commanded.ledger SET version = 99");
    expect((await runCommand(["team", "status"], { env: member, folders })).code).toBe(2);
    expect((await runCommand(["team", "init"], { env, folders })).code).toBe(2);
  });
});

ran("TLS to the database", () => {
  const secured = hasOpenssl ? test : test.skip;

  secured("a certificate is accepted only with its authority and its name", async () => {
    using own = await startCluster();
    const { key, cert } = certificate();
    const write = (name: string, text: string) => {
      const path = join(own.folder, "data", name);
      writeFileSync(path, text);
      chmodSync(path, 0o600);
      const { uid, gid } = statSync(join(own.folder, "data"));
      chownSync(path, uid, gid);
    };
    write("server.key", key);
    write("server.crt", cert);
    const connect = (host: string, ca?: string) =>
      connectTo({ ...accessAs("owner", { host, port: own.port, isEncrypted: true }), ca })();
    await expect(connect("localhost", cert)).rejects.toThrow(/SSL/);
    own.kill();
    own.start({ ssl: "on" });
    const connection = await connect("localhost", cert);
    expect(connection.tls).toMatch(/^TLSv1\.[23]$/);
    await connection.close(false);
    await expect(connect("localhost")).rejects.toMatchObject({ code: /SELF_SIGNED/ });
    await expect(connect("127.0.0.1", cert)).rejects.toMatchObject({ code: /ALTNAME/ });
  });
});
