import type { Here } from "../../src/session/app.ts";
import type { Plan } from "../../src/session/plan.ts";
import {
  type Submission,
  type SubmitRequest,
  sendForm,
  submissionOf,
  submitDraft,
} from "../../src/session/submit.ts";
import { createSessionTasks, type FormEnd, skipWait, startEntry } from "../../src/session/tasks.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { type FakeClock, fakeClock } from "../helpers/clock.ts";
import { type Act, openService } from "../helpers/service.ts";
import { contextFor, notes } from "../writes/writing.ts";

const created = (body: string): Act => ({
  status: 201,
  body: [{ body, status: "NOTE_CREATION_SUCCESS" }],
});

const refused: Act = { status: 400, body: { detail: "no" } };

/** A session whose service answers its writes by a script, and a form of one note. */
async function session(writes: readonly Act[], clock?: FakeClock) {
  const server = await openService({ writes });
  const context = await contextFor(server.baseUrl, { clock });
  const tasks = createSessionTasks(fakeClock());
  const ends: FormEnd[] = [];
  const form = (more: Partial<SubmitRequest> = {}): SubmitRequest => ({
    draft: "draft-1",
    writes: async () => ({
      context,
      recovered: { unknown: [], unsent: [] },
      close: async () => {},
    }),
    requests: [notes("one")],
    override: null,
    refusal: () => null,
    onEnd: (end) => ends.push(end),
    ...more,
  });
  const submission = (draft = "draft-1"): Submission | null => {
    const task = tasks.forms.all.get().get(draft);
    return task === undefined ? null : submissionOf(task);
  };
  const entries = () => listActivity(context.journal, {}).map(({ outcome }) => outcome);
  return { server, tasks, form, submission, ends, entries };
}

test("a form is recorded, sent and ended", async () => {
  const { tasks, form, submission, ends } = await session([created("one")]);
  const kinds: string[] = [];
  const note = () => {
    const kind = submission()?.kind;
    if (kind !== undefined && kinds.at(-1) !== kind) kinds.push(kind);
  };
  tasks.forms.all.subscribe(note);
  tasks.entries.all.subscribe(note);
  const ended = await sendForm(tasks, form());
  expect(kinds).toEqual(["recording", "sending", "ended"]);
  expect(ended).toMatchObject({ kind: "ended", end: { results: [{ outcome: "confirmed" }] } });
  expect(ends).toHaveLength(1);
  const journalId = ends[0]?.results[0].journalId ?? 0;
  const entry = tasks.entries.all.get().get(journalId);
  expect(entry).toMatchObject({ kind: "ended", progress: { doing: "sending", sent: true } });
});

test("the outcome of a draft is announced although the draft cannot be saved", async () => {
  const { tasks, form } = await session([created("one")]);
  const noRoom = () => {
    throw new Error("no room");
  };
  const said: string[] = [];
  const here = {
    app: {
      lock: { refusal: () => null },
      formDrafts: { find: () => ({ updatedAt: 1 }), save: noRoom, remove: noRoom },
      notices: { announce: (text: string) => said.push(text) },
      inFlight: { add: () => () => {} },
    },
    session: { tasks, writes: form().writes, report: () => {} },
  } as unknown as Here;
  submitDraft(here, "draft-1", { parts: [notes("one")] } as unknown as Plan, null);
  await expect.poll(() => said).toEqual([expect.stringMatching(/^Journal entry 1: confirmed\. /)]);
  expect(said[0]).toContain("no room");
});

test("the next request is not recorded when the profile or the lock has changed", async () => {
  const { server, tasks, form, submission, entries } = await session([created("one")]);
  const refusal = () => (server.writes().length > 0 ? "Writes are locked." : null);
  await sendForm(tasks, form({ requests: [notes("one"), notes("two")], refusal }));
  expect(server.writes()).toHaveLength(1);
  expect(entries()).toEqual(["confirmed"]);
  expect(submission()).toMatchObject({
    kind: "ended",
    results: [{ outcome: "confirmed" }],
    failure: { error: { message: "Writes are locked." } },
  });
});

test("the next request is not recorded when one is not confirmed", async () => {
  const { server, tasks, form, submission, entries } = await session([created("one"), refused]);
  await sendForm(tasks, form({ requests: [notes("one"), notes("two"), notes("three")] }));
  expect(server.writes()).toHaveLength(2);
  expect(entries().toSorted()).toEqual(["confirmed", "rejected"]);
  expect(submission()).toMatchObject({
    kind: "ended",
    results: [{ outcome: "confirmed" }, { outcome: "rejected" }],
    failure: null,
  });
});

test("a draft is not sent twice at a time; another draft may be", async () => {
  const { tasks, form } = await session(["one", "two", "three"].map(created));
  const first = sendForm(tasks, form());
  expect(sendForm(tasks, form())).toBeNull();
  const other = sendForm(tasks, form({ draft: "draft-2", requests: [notes("two")] }));
  expect((await Promise.all([first, other])).map((end) => end?.kind)).toEqual(["ended", "ended"]);
  expect(await sendForm(tasks, form({ requests: [notes("three")] }))).toMatchObject({
    kind: "ended",
  });
});

test("a form that is canceled before it is recorded leaves no entry and reports no end", async () => {
  const { server, tasks, form, submission, ends, entries } = await session([created("one")]);
  const over = sendForm(tasks, form());
  tasks.forms.cancel("draft-1");
  await over;
  expect(submission()).toMatchObject({ kind: "failed", error: { kind: "cancelled" } });
  expect([entries(), server.received, ends]).toEqual([[], [], []]);
});

test("a form that is canceled on the wire ends as unknown, and nothing more is sent", async () => {
  const { server, tasks, form, submission, entries } = await session(["hang"]);
  server.onRequest = () => tasks.forms.cancel("draft-1");
  await sendForm(tasks, form({ requests: [notes("one"), notes("two")] }));
  expect(submission()).toMatchObject({ kind: "ended", results: [{ outcome: "unknown" }] });
  expect(entries()).toEqual(["unknown"]);
  expect(server.writes()).toHaveLength(1);
});

test("a session that is closed waits until what was on the wire is in the journal", async () => {
  const { server, tasks, form, entries } = await session(["hang"]);
  const arrived = new Promise<void>((resolve) => {
    server.onRequest = () => resolve();
  });
  void sendForm(tasks, form());
  await arrived;
  await Promise.all([tasks.forms.end(), tasks.entries.end()]);
  expect(entries()).toEqual(["unknown"]);
});

test("an entry that a form is sending cannot be verified or resent, and can be canceled as an entry", async () => {
  const { server, tasks, form, submission } = await session(["hang"]);
  server.onRequest = () => {
    expect(startEntry(tasks, 1, "Verifying", () => Promise.reject(new Error("never")))).toBeNull();
    tasks.entries.cancel(1);
  };
  await sendForm(tasks, form());
  expect(submission()).toMatchObject({ kind: "ended", results: [{ outcome: "unknown" }] });
});

test("a wait of a form can be cut short by its entry", async () => {
  // Time stands still: the wait that lets an abandoned request settle ends by being cut short.
  const { server, tasks, form, submission } = await session(["reset", created("one")], fakeClock());
  tasks.entries.all.subscribe(() => skipWait(tasks, 1));
  await sendForm(tasks, form());
  expect(server.writes()).toHaveLength(2);
  expect(submission()).toMatchObject({ kind: "ended", results: [{ outcome: "confirmed" }] });
});

test("a journal that cannot be opened is a failure without an entry, and the draft can be sent again", async () => {
  const { tasks, form, submission, ends } = await session([created("one")]);
  const error = new Error("there is no space left");
  await sendForm(tasks, form({ writes: () => Promise.reject(error) }));
  expect(submission()).toEqual({ kind: "failed", error });
  expect(ends).toEqual([]);
  expect(await sendForm(tasks, form())).toMatchObject({ kind: "ended" });
});

test("the draft is settled before the end is shown", async () => {
  const { tasks, form, submission } = await session([created("one")]);
  const shown: unknown[] = [];
  await sendForm(tasks, form({ onEnd: () => shown.push(submission()?.kind) }));
  expect([...shown, submission()?.kind]).toEqual(["sending", "ended"]);
});
