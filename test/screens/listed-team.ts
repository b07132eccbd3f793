/**
 * A team with something in each of its lists: two people have asked for money of the listed machine's
 * service, a colleague has sent entries there, and each has a cohort.
 */
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { serviceKey } from "../../src/api/url.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { ledgerConnection } from "../../src/writes/team/connection.ts";
import { sqlLedger } from "../../src/writes/team/sql-ledger.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { TestMemory } from "../writes/team/memory-memory.ts";
import { pgliteDatabase } from "../writes/team/pglite.ts";
import { sqlWorld } from "../writes/team/sql-world.ts";
import type { OpenedConsoleOptions } from "./opened-console.tsx";

/** The options of a console or a command of the first person. */
export type ListedTeam = Required<
  Pick<OpenedConsoleOptions, "folders" | "env" | "loadLedger" | "loadMemory">
>;

export async function openListedTeam(baseUrl: string, folders: Folders): Promise<ListedTeam> {
  const database = await pgliteDatabase();
  const world = await sqlWorld(database);
  const service = serviceKey(baseUrl);
  await world.run("SELECT LEDGER.set_policy($1, 'owner', 'money')", service);
  await mkdir(folders.home, { recursive: true });
  for (const [name, source] of [
    ["op1", "first.csv"],
    ["op2", "second.csv"],
  ] as const) {
    const machine = await world.machine(name);
    const rows = [1, 2].map((line) => {
      const { localId, content } = machine.request([{ key: `${name} ${line}` }], { service });
      return {
        ...{ position: line - 1, localId, line, content, chain: `chain ${line}` },
        ...{ importSupplier: "ACME", externalAccountNumber: `EXT-${line}`, amount: "-12.50" },
        ...{ reference: `R-${line}`, day: null, itemId: null, again: null },
      };
    });
    await machine.ledger.approvals.ask(
      {
        ...{ token: randomUUID(), service, profile: "live", operation: "transactions create" },
        ...{ run: `r-${name}`, source, reading: null },
      },
      (async function* () {
        yield rows;
      })(),
    );
  }
  const colleague = await world.machine("op2");
  for (const account of ["EXT-1", "EXT-2"]) {
    const request = colleague.request([{ key: account }], {
      ...{ service, account, externalAccountNumber: account },
    });
    await colleague.claim(request);
    await colleague.publish(request, "confirmed");
  }
  const memory = new TestMemory();
  const addCohort = async (name: string, state: string, isShared: boolean) =>
    openCohorts(state, { use: (work) => work(memory.as(name).cohorts) }).add({
      ...{ name: `wave of ${name}`.replaceAll(" ", "-"), supplier: "ACME", isShared },
      ...{ from: "wave.txt", column: null, now: 0, bytes: Buffer.from(`EXT-1\n${name}\n`) },
    });
  await addCohort("op1", folders.state, false);
  await addCohort("op2", (await openFolders()).state, true);
  return {
    folders,
    loadMemory: async () => () => memory.as("op1"),
    env: {
      SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger",
      SUPPLYLINE_MACHINE: "laptop of op1",
      SUPPLYLINE_PERSON: "op1",
    },
    loadLedger: async () => (_, options) =>
      sqlLedger(ledgerConnection(world.connectAs(`${world.schema}_op1`)), {
        ...options,
        host: "test",
        schema: world.schema,
      }),
  };
}
