/** Nothing is sent or recorded while the team of the service allows no write. */
import { recordRequests } from "../../src/bulk/record.ts";
import { refuseUnopened } from "../../src/writes/refuse-team.ts";
import { resend } from "../../src/writes/resend.ts";
import type { WriteContext } from "../../src/writes/send/events.ts";
import { recordWrite, sendIntent, submit } from "../../src/writes/submit.ts";
import { verify } from "../../src/writes/verify.ts";
import { carryOut, never, noteRequests, recordedRun, streamed } from "../bulk/bulking.ts";
import { type Act, openService } from "../helpers/service.ts";
import { contextFor, hurried, instruction, notes, supplyPoint } from "./writing.ts";

/** Everything that the journal has of entries and runs. */
const contentsOf = ({ journal }: WriteContext) =>
  journal.read((rows) =>
    ["intent", "attempt", "item", "remark", "run", "claim"].map((table) =>
      rows.all(`SELECT * FROM ${table}`),
    ),
  );

/** The entries that a journal has from the time before its profile had a team. */
async function desk(acts: readonly Act[], reads: readonly Act[] = []) {
  const server = await openService({ writes: acts, reads });
  const alone = await contextFor(server.baseUrl);
  return { server, alone, shared: { ...alone, teamRefusal: refuseUnopened() } };
}

const fourTimes = (act: Act): readonly Act[] => Array(4).fill(act);

const sends: Readonly<
  Record<string, (alone: WriteContext, shared: WriteContext) => Promise<() => Promise<unknown>>>
> = {
  "a write": async (_, shared) => () => submit(shared, notes("two"), hurried().options),
  "a recorded entry": async (alone, shared) => {
    const id = await recordWrite(alone, notes("two"), hurried().options);
    return () => sendIntent(shared, id, hurried().options);
  },
  "a resend": async (alone, shared) => {
    const { journalId } = await submit(alone, instruction(), hurried().options);
    const override = { reason: "meant", passes: [] };
    return () => resend(shared, journalId, { ...hurried().options, override });
  },
  "a verification that sends again": async (alone, shared) => {
    const { journalId } = await submit(alone, notes("one"), hurried().options);
    return () => verify(shared, journalId, hurried().options);
  },
  "a new run": async (_, shared) => () => recordedRun(shared, "notes", noteRequests(1)),
  "the rows of a run": async (alone, shared) => {
    const run = await recordedRun(alone, "notes", []);
    return () => recordRequests(shared, run, streamed(noteRequests(1)), { signal: never });
  },
  "a run that is resumed": async (alone, shared) => {
    const run = await recordedRun(alone, "notes", noteRequests(1));
    return () => carryOut(shared, run);
  },
};

test.each(Object.entries(sends))(
  "%s that the team does not allow is refused before anything is recorded or sent",
  async (_, prepare) => {
    const { server, alone, shared } = await desk(fourTimes("reset"));
    const send = await prepare(alone, shared);
    const before = { sent: server.writes().length, contents: contentsOf(alone) };
    await expect(send()).rejects.toMatchObject({ kind: "team-not-set-up" });
    expect({ sent: server.writes().length, contents: contentsOf(alone) }).toEqual(before);
  },
);

test("a verification that only reads is possible although the team allows no write", async () => {
  const { server, alone, shared } = await desk(fourTimes("reset"), Array(9).fill({ status: 404 }));
  const { journalId, outcome } = await submit(alone, supplyPoint(), hurried().options);
  expect(outcome).toBe("unknown");
  const before = server.writes().length;
  const { plan } = await verify(shared, journalId, hurried().options);
  expect(plan).toBe("look-up");
  expect(server.writes()).toHaveLength(before);
});
