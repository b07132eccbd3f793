/** The console of a machine whose state folder is empty, and whose team knows the lists of colleagues. */
import { systemClock } from "../../src/api/clock.ts";
import type { Place } from "../../src/session/places.ts";
import { dayMs } from "../../src/text/durations.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { batchOf, type Row } from "../accounts/rows.ts";
import { clockOf } from "../helpers/clock.ts";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { TestMemory } from "../writes/team/memory-memory.ts";
import { openConsoleAt } from "./opened-console.tsx";

/** Opens the console at a place. Two colleagues have recorded lists, and LOST is on the first one only. */
async function openAt(...places: readonly Place[]) {
  const pending = (external: string) => ({
    external_account_number: external,
    service_account_number: null,
    account_created_at: null,
  });
  const { baseUrl } = await openService(({ path }, response) =>
    path.endsWith("/LOST/")
      ? reply(response, 404, {})
      : path.includes("account-transfer-status")
        ? reply(response, 200, { status: "UNKNOWN", service_account_number: "" })
        : reply(response, 200, [pending("WAITS")]),
  );
  const memory = new TestMemory();
  const record = async (machine: string, days: number, rows: readonly Row[]) => {
    const at = Date.now() - days * dayMs;
    const names = { machine, person: machine };
    const team = {
      load: async () => ({ address: "test", names, open: async () => memory.as(machine) }),
      isFollowing: false,
    };
    const { state: folder } = await openFolders();
    const clock = clockOf({ ...systemClock, now: () => at });
    const options = { folder, origin: baseUrl, clock, recording: true, team };
    const observations = await openObservations(options);
    const recorder = observations.begin("ACME", at);
    await recorder.take(batchOf(rows));
    await recorder.finish();
    await observations.close();
  };
  await record("m1", 9, [["WAITS"], ["LOST"]]);
  await record("m2", 1, [["WAITS"]]);
  const { screen } = await openConsoleAt({
    service: { baseUrl, apiKey: "key-1" },
    places: [{ kind: "suppliers" }, ...places],
    cols: 160,
    env: {
      SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger",
      SUPPLYLINE_MACHINE: "m3",
      SUPPLYLINE_OBSERVE: "1",
    },
    loadMemory: async () => () => memory.as("m3"),
  });
  return screen;
}

test("the overview says by how many machines the oldest account is known", async () => {
  const screen = await openAt({ kind: "overview", supplier: "ACME" });
  await screen.waitFor(/oldest pending ≥ [89] d, 1 over a day, by [23] machines/);
});

test("the preview of an account says by how many machines its time is known", async () => {
  const screen = await openAt({ kind: "accounts", supplier: "ACME", tab: "all" });
  await screen.waitFor(/pending for at least (8|9) d.*, by [23] machines/);
});

test.each([
  ["WAITS", /Listed +pending since .* or earlier, by [23] machines/],
  ["LOST", /Listed +gone since .*, by [23] machines: on no list any more/],
])("the account %s has the machines beside its time", async (account, words) => {
  const screen = await openAt({ kind: "account", supplier: "ACME", account });
  await screen.waitFor(words);
});
