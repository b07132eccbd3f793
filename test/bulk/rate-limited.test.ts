/** Runs against a service that limits the rate. */
import { readRunRows } from "../../src/bulk/rows.ts";
import { drive, gapGate, logged } from "../api/gates.ts";
import { fakeClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { completed, openService, reply } from "../helpers/service.ts";
import { bulkFor, carryOut, noteRequests, recordedRun } from "./bulking.ts";

const rows = 30;
const gapMs = 400;
const stepMs = 20;

test("notes: none is sent inside a pause, few are refused, and no row fails", async () => {
  const clock = fakeClock(Date.now());
  const watched = logged(gapGate(gapMs, "1"), 2 * stepMs);
  const { baseUrl } = await openService((request, response) => {
    if (watched.gate(clock.now()) !== null) return reply(response, 429, "", { "retry-after": "1" });
    if (request.method === "GET") return reply(response, 200, completed);
    const { notes } = JSON.parse(request.body) as { notes: readonly { body: string }[] };
    reply(response, 201, [{ body: notes[0]?.body, status: "NOTE_CREATION_SUCCESS" }]);
  });
  const context = await bulkFor({ folder: journalFolder(), baseUrl, clock });
  const run = await recordedRun(context, "notes", noteRequests(rows));
  const began = clock.now();
  const end = await drive(clock, carryOut(context, run, { concurrency: 8 }), stepMs);
  expect(end).toEqual({ kind: "ended" });
  const outcomes = readRunRows(context.journal, run);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(rows).fill("confirmed"));
  expect(watched.log).toMatchObject({ accepted: rows, inside: 0 });
  expect(watched.log.refused).toBeLessThanOrEqual(rows / 2);
  expect(clock.now() - began).toBeLessThan(1.7 * rows * gapMs);
});
