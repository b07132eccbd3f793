/** A machine of a team that records one list after another until it is killed: `PORT FOLDER SUPPLIER NAME`. */
import { systemClock } from "../../src/api/clock.ts";
import type { TeamAccess } from "../../src/settings/team-access.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { openMemory } from "../../src/writes/team/postgres.ts";
import { batchOf, type Row } from "../accounts/rows.ts";

const origin = "https://service.example";

/** Returns the access of a login to the tested ledger on loopback. */
export function accessTo(port: number, login: string): TeamAccess {
  const address = { host: "127.0.0.1", port, database: "postgres", user: login };
  return {
    address: { ...address, schema: "tested", isEncrypted: false },
    ca: undefined,
    login: async () => ({ user: login, password: null }),
  };
}

/** Returns the rows of a list. They follow from its time, so that a replay needs no log. */
export function rowsAt(at: number): readonly Row[] {
  return Array.from(
    { length: 40 },
    (_, n): Row => [`E-${n}`, (n + at) % 7 < 2 ? `A-${n}` : null],
  ).filter((_, n) => (n * 3 + at) % 5 !== 0);
}

async function recordLists(port: number, folder: string, supplier: string, machine: string) {
  const names = { machine, person: machine };
  const open = async () => openMemory(accessTo(port, "member"), { service: origin, names });
  const observations = await openObservations({
    ...{ folder, origin, clock: systemClock, recording: true },
    team: { load: async () => ({ address: "tested", names, open }), isFollowing: false },
  });
  for (;;) {
    const at = Date.now();
    const recorder = observations.begin(supplier, at);
    await recorder.take(batchOf(rowsAt(at)));
    const { kind } = await recorder.finish();
    process.stdout.write(`${kind}\n`);
  }
}

const [port, folder, supplier, name] = process.argv.slice(2);
if (import.meta.main && port && folder && supplier && name)
  await recordLists(Number(port), folder, supplier, name);
