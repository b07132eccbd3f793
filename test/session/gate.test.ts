/** Tests the questions and the refusals of the console before it sends an entry of the journal. */
import { systemClock } from "../../src/api/clock.ts";
import type { App } from "../../src/session/app.ts";
import { resendEntry, verifyEntry } from "../../src/session/entry-actions.ts";
import { passGate } from "../../src/session/gate.ts";
import { resendEntries, verifyEntries } from "../../src/session/many-entries.ts";
import type { Session } from "../../src/session/open-session.ts";
import { createSessionTasks } from "../../src/session/tasks.ts";
import { adHocName, sandboxProfile } from "../../src/settings/sandbox-profile.ts";
import type { Profile } from "../../src/settings/schemas.ts";
import type { WriteRequest } from "../../src/writes/prepare.ts";
import { submit } from "../../src/writes/submit.ts";
import { appOf } from "../helpers/app.ts";
import { hurriedClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/eventually.ts";
import { type Act, openService } from "../helpers/service.ts";
import { contextFor, hurried, instruction, notes } from "../writes/writing.ts";

type Environment = Profile["environment"];

interface Desk {
  readonly app: App;
  readonly session: Session;
  /** The POSTs since the entries were made. */
  readonly sent: () => number;
  /** The first entry. */
  readonly id: number;
  readonly ids: readonly number[];
}

/** A console with entries in its journal, each ended by the act of the service; `then` is for all that follow. */
async function deskWith(
  environment: Environment,
  entries: readonly (readonly [WriteRequest, readonly Act[]])[],
  { readOnly = false, unlocked = true, then = "hang" as Act, recordedWith = adHocName } = {},
): Promise<Desk> {
  const writes: readonly Act[] = [...entries.flatMap(([, acts]) => acts), then];
  const server = await openService({ writes });
  const context = await contextFor(server.baseUrl, {
    clock: hurriedClock(),
    profile: recordedWith,
  });
  const ids: number[] = [];
  for (const [write] of entries)
    ids.push((await submit(context, write, hurried().options)).journalId);
  const before = server.writes().length;
  const app = appOf({ readOnly });
  const profile = {
    ...sandboxProfile,
    name: adHocName,
    baseUrl: server.baseUrl,
    environment,
  };
  const session = {
    id: "1",
    profile,
    outdated: null,
    tasks: createSessionTasks(systemClock),
    writes: async () => ({ context }),
  } as unknown as Session;
  app.sessions.state.set({ kind: "open", session });
  if (environment === "production" && unlocked) {
    app.lock.state.get().action?.run();
    const asked = app.overlays.current.get();
    if (asked?.kind === "prompt") asked.onSubmit(adHocName);
    app.overlays.close();
  }
  onTestFinished(() => session.tasks.entries.end({ patienceMs: 0 }));
  return { app, session, ids, id: ids[0] ?? 0, sent: () => server.writes().length - before };
}

const noticesOf = ({ app }: Desk) => app.notices.shown.get().map(({ text }) => text);

/**
 * Answers every question as it is asked; resolves with them when something was sent or said. Calls
 * `meanwhile` while the first question is open.
 */
async function answered(desk: Desk, meanwhile: () => void = () => {}): Promise<readonly string[]> {
  const asked: string[] = [];
  const { overlays } = desk.app;
  for (;;) {
    const question = await eventually(() => {
      const open = overlays.current.get();
      if (open !== null) return open;
      return desk.sent() > 0 || noticesOf(desk).length > 0 ? null : false;
    });
    if (question === null || question === false) return asked;
    overlays.close();
    if (asked.length === 0) meanwhile();
    if (question.kind === "confirm") {
      asked.push("yes");
      question.onYes();
    } else if (question.kind === "prompt") {
      const wanted = /Type (\S+) to/.exec(question.hint ?? "")?.[1];
      asked.push(wanted === undefined ? question.label : `${question.label} ${wanted}`);
      expect(question.onSubmit("something else entirely") === null).toBe(wanted === undefined);
      if (wanted !== undefined) expect(question.onSubmit(wanted)).toBeNull();
    }
  }
}

const fourTimes = (act: Act): readonly Act[] => Array(4).fill(act);

const unknownNote = [notes("one"), fourTimes("reset")] as const;
const unknownPayment = [instruction(), ["reset"]] as const;
const refusedPayment = [instruction(), [{ status: 400, body: { detail: "no" } }]] as const;
const retryablePayment = (reference: string) =>
  [instruction("GOODPAY", reference), Array(3).fill({ status: 500, body: {} })] as const;

const sends = {
  verify: {
    entries: [unknownNote],
    start: ({ app, session, id }: Desk) => verifyEntry({ app, session }, id, () => {}),
  },
  "resend, in doubt": {
    entries: [unknownPayment],
    start: ({ app, session, id }: Desk) => resendEntry({ app, session }, id),
  },
  "resend, refused before": {
    entries: [refusedPayment],
    start: ({ app, session, id }: Desk) => resendEntry({ app, session }, id),
  },
  "verify all": {
    entries: [unknownNote],
    start: ({ app, session, ids }: Desk) => verifyEntries({ app, session }, ids),
  },
  "resend all payments, in doubt": {
    entries: [retryablePayment("R-1"), retryablePayment("R-2")],
    start: ({ app, session, ids }: Desk) => resendEntries({ app, session }, ids),
  },
} as const;

type What = keyof typeof sends;

const number = "Account number EXT-0000001";

const table: Readonly<Record<What, Readonly<Record<Environment, readonly string[]>>>> = {
  verify: { sandbox: [], test: [], production: [number] },
  "resend, in doubt": {
    sandbox: ["Reason"],
    test: [number, "Reason"],
    production: [number, "Reason"],
  },
  "resend, refused before": {
    sandbox: ["Reason"],
    test: [number, "Reason"],
    production: [number, "Reason"],
  },
  "verify all": { sandbox: [], test: ["yes"], production: ["Number of rows 1"] },
  "resend all payments, in doubt": {
    sandbox: ["Reason"],
    test: ["Number of rows 2", "Reason"],
    production: ["Number of rows 2", "Reason"],
  },
};

const whats = Object.keys(table) as readonly What[];
const cells = whats.flatMap((what) =>
  (["sandbox", "test", "production"] as const).map((environment) => ({
    what,
    environment,
    questions: table[what][environment],
  })),
);

test.each(cells)(
  "$what on $environment asks for $questions",
  async ({ what, environment, questions }) => {
    const desk = await deskWith(environment, sends[what].entries);
    sends[what].start(desk);
    expect(await answered(desk)).toEqual(questions);
    await eventually(() => desk.sent() > 0);
  },
);

test.each(whats)("%s on locked production asks nothing and says how to unlock", async (what) => {
  const desk = await deskWith("production", sends[what].entries, { unlocked: false });
  sends[what].start(desk);
  expect(await answered(desk)).toEqual([]);
  expect(noticesOf(desk)).toEqual([
    "Writes to production are locked: U unlocks them. Nothing was sent.",
  ]);
  expect(desk.sent()).toBe(0);
});

test.each(whats)("%s in a read-only console asks nothing and says why", async (what) => {
  const desk = await deskWith("test", sends[what].entries, { readOnly: true });
  sends[what].start(desk);
  expect(await answered(desk)).toEqual([]);
  expect(noticesOf(desk)).toEqual([
    "Writes cannot be unlocked: started with --read-only. Nothing was sent.",
  ]);
  expect(desk.sent()).toBe(0);
});

test.each(whats)(
  "%s sends nothing if production is locked before the last answer",
  async (what) => {
    const desk = await deskWith("production", sends[what].entries);
    sends[what].start(desk);
    await answered(desk, () => desk.app.lock.state.get().action?.run());
    expect(noticesOf(desk)).toEqual([
      "Writes to production are locked: U unlocks them. Nothing was sent.",
    ]);
    expect(desk.sent()).toBe(0);
  },
);

test.each(["verify", "verify all"] as const)(
  "%s discards the drafts of entries that it settles, and no other",
  async (what) => {
    const then = { status: 201, body: [{ body: "one", status: "NOTE_ALREADY_EXISTS" }] };
    const desk = await deskWith("sandbox", [unknownNote], { then });
    const { formDrafts } = desk.app;
    const draft = {
      id: "sent",
      kind: "notes",
      profile: adHocName,
      service: null,
      supplier: "ACME",
      account: "EXT-0000001",
      value: {},
      query: {},
      updatedAt: 0,
      refusals: [],
    };
    formDrafts.save({ ...draft, sentAs: desk.id });
    formDrafts.save({ ...draft, id: "other" });
    sends[what].start(desk);
    const { log } = desk.app.notices;
    await eventually(() => log.get().some(({ text }) => text.includes("confirmed")));
    expect(formDrafts.ofProfile(adHocName).map(({ id }) => id)).toEqual(["other"]);
  },
);

test("a resend with another profile of the same service discards the draft of the entry", async () => {
  const then: Act = { status: 201, body: [{ body: "one", status: "NOTE_CREATION_SUCCESS" }] };
  const desk = await deskWith("sandbox", [unknownNote], { then, recordedWith: "other" });
  const { formDrafts } = desk.app;
  formDrafts.save({
    id: "sent",
    kind: "notes",
    profile: "other",
    service: null,
    supplier: "ACME",
    account: "EXT-0000001",
    value: {},
    query: {},
    updatedAt: 0,
    refusals: [],
    sentAs: desk.id,
  });
  resendEntry(desk, desk.id);
  const { log } = desk.app.notices;
  await eventually(() => log.get().some(({ text }) => text.includes("confirmed")));
  expect(formDrafts.ofProfile("other")).toEqual([]);
});

test.each([
  ["payment-instructions create", "Account number"],
  ["supply-points create", "Identifier"],
] as const)("%s on production is confirmed by its %s", async (operation, label) => {
  const desk = await deskWith("production", []);
  const about = { operation, target: "X-1", rows: 1, sum: null, inDoubt: false, reason: null };
  passGate(desk, { ...about, doing: "Send it", yes: "Yes", detail: null }, () => {});
  expect(desk.app.overlays.current.get()).toMatchObject({ kind: "prompt", label });
});
