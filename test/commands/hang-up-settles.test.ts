/** Promise: when the program has to end, writes in flight still settle, and nothing new begins. */
import { account, bulkWorld, note } from "../helpers/desk.ts";
import { eventually } from "../helpers/eventually.ts";
import type { Act } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

const late = (delayMs: number): Act => ({
  status: 201,
  body: [{ body: "hello", status: "NOTE_CREATION_SUCCESS" }],
  delayMs,
});

test.each(["SIGHUP", "SIGTERM"] as const)(
  "a write in flight at %s is confirmed when its answer comes in time",
  async (signal) => {
    const { spawn, json, service } = await world({ service: { writes: [late(200)] } });
    const cli = await spawn(note("--body", "hello"));
    await eventually(() => expect(service.writes()).toHaveLength(1));
    cli.kill(signal);
    await cli.result;
    expect(await json(["activity", "list"])).toMatchObject([{ outcome: "confirmed" }]);
  },
);

test("a write whose answer does not come in time is unknown, and the program has ended", async () => {
  const { spawn, json, service } = await world({ service: { writes: ["hang"] } });
  const cli = await spawn(note("--body", "hello"));
  await eventually(() => expect(service.writes()).toHaveLength(1));
  cli.kill("SIGHUP");
  expect(await cli.result).toMatchObject({ signal: null });
  expect(await json(["activity", "list"])).toMatchObject([{ outcome: "unknown" }]);
});

test.each(["SIGHUP", "SIGTERM"] as const)(
  "a payment run at %s: all in flight settle, nothing new begins, and the journal agrees with the ledger",
  async (signal) => {
    const { spawn, file, json, landed } = await bulkWorld("latency=300ms@payment-instructions");
    const rows = Array.from(
      { length: 60 },
      (_, at) => `BULK,${account(at + 1)},GOODPAY,R-${at},CARD`,
    );
    const head = "import_supplier,external_account_number,vendor,reference,type";
    await file("p.csv", [head, ...rows].join("\n"));
    const run = ["bulk", "run", "payment-instructions", "--from", "p.csv", "--yes"];
    const cli = await spawn([...run, "--concurrency", "8"]);
    await eventually(() => expect(landed().length).toBeGreaterThan(3));
    cli.kill(signal);
    await cli.result;
    const entries: readonly { readonly outcome: string }[] = await json(["activity", "list"]);
    const counts = (outcome: string) => entries.filter((one) => one.outcome === outcome).length;
    expect(counts("unknown")).toBe(0);
    expect(counts("confirmed")).toBe(landed().length);
    expect(counts("unsent")).toBe(60 - landed().length);
    expect(counts("unsent")).toBeGreaterThan(0);
  },
);
