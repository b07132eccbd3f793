import type { ServerResponse } from "node:http";
import { rowOfBatch } from "../../../src/accounts/ingest/batch.ts";
import { readAccountList } from "../../../src/accounts/ingest/read-list.ts";
import { connected, errorFrom } from "../../api/connected.ts";
import { fakeClock } from "../../helpers/clock.ts";
import { openService } from "../../helpers/service.ts";

const row = (number: number) => `{"external_account_number":"E${number}"},`;
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => row(from + at)).join("");

/** A list that the test sends bit by bit, with a clock that only the test moves. */
async function slowList() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<ServerResponse>();
  const { baseUrl } = await openService((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    begin(response);
  });
  const clock = fakeClock();
  const list = readAccountList(connected(baseUrl, { clock }).service, "ACME", "all");
  return { begun, clock, list, send: async (text: string) => void (await begun).write(text) };
}

test("complete rows are delivered soon even if the body stalls", async () => {
  const { clock, list, send } = await slowList();
  const first = list.next();
  await send(`[${rows(0, 100)}`);
  expect((await first).value).toMatchObject({ count: 100 });
  // Two rows are no batch beside a hundred.
  const second = list.next();
  await send(rows(100, 102));
  await clock.untilSleeping(2);
  await clock.advance(100);
  const { value } = await second;
  if (!value || !("ends" in value)) throw new Error("the list ended");
  expect(value.count).toBe(2);
  expect(rowOfBatch(value, 1).external_account_number).toBe("E101");
  await list.return({ rows: 0, unreadableRows: 0, bytes: 0, receivedAt: 0 });
});

test("leaving a stalled list closes its connection without an error", async () => {
  const { begun, clock, list, send } = await slowList();
  const first = list.next();
  await send(`[${rows(0, 100)}`);
  await first;
  const second = list.next();
  await send(rows(100, 101));
  await clock.untilSleeping(2);
  await clock.advance(100);
  await second;
  const response = await begun;
  const closed = new Promise((resolve) => response.once("close", resolve));
  await list.return({ rows: 0, unreadableRows: 0, bytes: 0, receivedAt: 0 });
  await closed;
});

test("rows delivered during a stall are not delivered again if the body breaks off", async () => {
  const { begun, clock, list, send } = await slowList();
  const first = list.next();
  await send(`[${rows(0, 100)}`);
  await first;
  const second = list.next();
  await send(rows(100, 103));
  await clock.untilSleeping(2);
  await clock.advance(100);
  expect((await second).value).toMatchObject({ count: 3 });
  (await begun).destroy();
  expect((await errorFrom(list.next())).kind).toBe("unreadable");
});

test("on the list of imported accounts every account is imported, its number said or not", async () => {
  const { AccountTable } = await import("../../../src/accounts/table.ts");
  const { baseUrl } = await openService((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      '[{"external_account_number":"E1"}, {"external_account_number":"E2","service_account_number":null}, {"external_account_number":"E3","service_account_number":"A-3"}]',
    );
  });
  for (const state of ["imported", "all"] as const) {
    const table = new AccountTable();
    const { service } = connected(baseUrl);
    for await (const batch of readAccountList(service, "ACME", state)) table.append(batch);
    const seen = [0, 1, 2].map((at) => table.row(at));
    expect(seen.map(({ pending }) => pending)).toEqual(
      state === "imported" ? [false, false, false] : [true, true, false],
    );
    expect(table.pending).toBe(state === "imported" ? 0 : 2);
    expect(seen.map(({ service: number }) => number)).toEqual([null, null, "A-3"]);
  }
});
