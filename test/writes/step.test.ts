/** The reducer of a write under way: every state with every event, and what each step decides. */
import { ServiceError } from "../../src/api/errors.ts";
import { AppError } from "../../src/errors/app-error.ts";
import type { AttemptRecord } from "../../src/writes/journal/changes.ts";
import type { Reason } from "../../src/writes/journal/entry.ts";
import type { Sent } from "../../src/writes/send/request.ts";
import type { Moment, SendEvent, SendFacts, SendState, Step } from "../../src/writes/send/state.ts";
import { beginsAtOnce, open, step } from "../../src/writes/send/step.ts";
import type { BarReason, LedgerRefusal, TeamEntry } from "../../src/writes/team/ledger.ts";
import { answer, at, entryOf, known, moment } from "./classifying.ts";
import { instruction, notes, supplyPoint } from "./writing.ts";

const cancelled: Moment = { ...moment, stopped: "cancelled" };

const note = known(notes("one"), { n: 1, made: 1, lastEndedAt: at });
const payment = known(instruction(), { n: 1, made: 1, lastEndedAt: at });
const point = known(supplyPoint());
const inDoubt = { doubt: "unknown", state: "unknown", lastEndedAt: at } as const;

const noAnswer: Sent = {
  kind: "failure",
  error: new ServiceError("timeout", "no answer", { sent: true }),
  headersSentAt: at,
};
const neverSent: Sent = {
  kind: "failure",
  error: new ServiceError("unreachable", "refused", { sent: false }),
  headersSentAt: null,
};
const created = answer(201, [{ body: "one", status: "NOTE_CREATION_SUCCESS" }]);
const process = { status: "CREATED", created_at: "2026-01-15T09:00:01Z" } as const;
const found = { kind: "found", process: process as never, clockAheadMs: null } as const;

const attempt: AttemptRecord = {
  n: 1,
  startedAt: at,
  headersSentAt: at,
  endedAt: at,
  outcome: "5xx",
  httpStatus: 503,
  code: null,
  response: "",
  detail: null,
};

function sendingOf(of: SendFacts, sent: Sent, when: Moment = moment): Step {
  return step({ kind: "sending", known: of, startedAt: at }, { kind: "answered", sent }, when);
}

const kinds = ({ effects }: Step) =>
  effects.map((effect) => {
    if (effect.kind === "point") return effect.point;
    return effect.kind === "report" ? `report ${effect.event.kind}` : effect.kind;
  });

const ended = (next: Step) => {
  expect(next.state.kind).toBe("finishing");
  return next.state.known;
};

const verdict = (sending: Step) => {
  if (sending.state.kind !== "recording") throw new Error(sending.state.kind);
  return sending.state.verdict;
};

const permit = { askedAt: { wall: at, steady: at }, id: null };
const full = new AppError("journal", "full", "full", { path: "/j" });
const waited: SendEvent = { kind: "waited" };
const recorded: SendEvent = { kind: "recorded", failure: null, takenOver: null };

const shared = { ...note, isShared: true };

const states: readonly SendState[] = [
  { kind: "looking-up", known: point },
  { kind: "saving-look-up", known: point },
  { kind: "waiting", known: note, next: { kind: "resend" } },
  { kind: "queued", known: note },
  { kind: "claiming", known: shared },
  { kind: "beginning", known: note },
  { kind: "sending", known: note, startedAt: at },
  { kind: "recording", known: note, attempt, verdict: verdict(sendingOf(note, answer(503, ""))) },
  { kind: "polling", known: point, n: 1 },
  { kind: "finishing", known: note, attempt },
  { kind: "over", known: note, result: {} as never },
];

const refusedBefore = {
  kind: "refused-before",
  earlier: { journalId: 3, state: "rejected", at, isRemoved: false },
  operation: "payment-instructions create",
  position: 0,
  items: 1,
  others: 0,
  findings: [],
} as const;

const events: readonly SendEvent[] = [
  { kind: "looked-up", lookUp: { kind: "absent" } },
  { kind: "look-up-saved" },
  waited,
  { kind: "granted", waitedMs: 0 },
  { kind: "claimed", permit, waitedMs: 0 },
  { kind: "not-claimed", refusal: { kind: "lost" }, waitedMs: 0 },
  { kind: "too-late" },
  { kind: "begun", n: 1, startedAt: at },
  { kind: "barred", bar: refusedBefore },
  { kind: "taken-over", by: null },
  { kind: "answered", sent: created },
  recorded,
];

/** The events of each state, with the state and the effects that follow, in order. */
const table: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  "looking-up looked-up": ["saving-look-up", ["save-look-up"]],
  "saving-look-up look-up-saved": ["queued", ["looked-up", "turn"]],
  "waiting waited": ["queued", ["turn"]],
  "queued granted": ["beginning", ["begin"]],
  "claiming claimed": ["beginning", ["begin"]],
  "claiming not-claimed": ["finishing", ["record"]],
  "beginning too-late": ["finishing", ["record"]],
  "beginning begun": ["sending", ["attempt-committed", "report sending", "send"]],
  "beginning barred": ["over", ["outcome-committed", "report outcome", "outcome-reported"]],
  "beginning taken-over": ["over", []],
  "sending answered": ["finishing", ["record"]],
  "recording recorded": ["waiting", ["attempt-recorded", "report attempt-ended", "wait"]],
  "polling looked-up": ["waiting", ["wait"]],
  "finishing recorded": [
    "over",
    ["outcome-committed", "report attempt-ended", "report outcome", "outcome-reported"],
  ],
};

describe("every state with every event", () => {
  const cells = states.flatMap((state) => events.map((event) => ({ state, event })));
  test.each(cells)("$state.kind, $event.kind", ({ state, event }) => {
    const expected = table[`${state.kind} ${event.kind}`];
    if (expected === undefined) {
      expect(() => step(state, event, moment)).toThrow(`is ${state.kind} cannot be ${event.kind}`);
      return;
    }
    const next = step(state, event, moment);
    expect([next.state.kind, kinds(next)]).toEqual(expected);
  });
});

/** An entry of a colleague. */
const theirs: TeamEntry = {
  id: 42,
  journal: "j",
  localId: 1,
  person: "op2",
  machine: "bastion-2",
  login: "op2",
  state: "sending",
  at,
  isLeaseOver: false,
  isRemoved: false,
};

describe("a write of a team", () => {
  const barred = (why: BarReason) => ({ kind: "barred", why, findings: [], entry: null }) as const;
  const away = new AppError("team", "team-unavailable", "away");
  const unsent = known(notes("one"), { isShared: true });
  const unknown = known(notes("one"), { ...inDoubt, isShared: true, n: 1 });
  const claiming = (of: SendFacts, event: SendEvent, when = moment) =>
    step({ kind: "claiming", known: of }, event, when);
  const allowed: SendEvent = { kind: "claimed", permit, waitedMs: 0 };

  test.each([
    ["its first attempt", unsent],
    ["a resend of an unknown outcome", unknown],
    ["its second attempt", { ...shared, made: 1 }],
  ])("asks the ledger before %s, and begins only with its permission", (_, of) => {
    const granted = step({ kind: "queued", known: of }, { kind: "granted", waitedMs: 0 }, moment);
    expect([granted.state.kind, kinds(granted)]).toEqual(["claiming", ["claim"]]);
    const begun = step(granted.state, allowed, moment);
    expect([begun.state.kind, kinds(begun)]).toEqual(["beginning", ["begin"]]);
    expect(begun.state.known.permit).toBe(permit);
    expect(beginsAtOnce(of)).toBe(false);
  });

  const refusals: readonly (readonly [LedgerRefusal, Reason, Reason])[] = [
    [{ kind: "away", error: away }, "team-away", "team-away"],
    [{ kind: "busy", entry: theirs }, "account-busy", "account-busy"],
    [{ kind: "lost" }, "team-refused", "team-refused"],
    [barred("sent-before"), "sent-before", "team-refused"],
    [barred("refused-before"), "refused-before", "team-refused"],
    [barred("recorded"), "team-refused", "team-refused"],
    [barred("copied"), "team-refused", "team-refused"],
    [barred("given-up"), "team-refused", "team-refused"],
    [barred("restored"), "team-refused", "team-refused"],
  ];
  test.each(refusals)("is never sent after %o", (refusal, ofUnsent, ofUnknown) => {
    const event: SendEvent = { kind: "not-claimed", refusal, waitedMs: 0 };
    const first = ended(claiming(unsent, event));
    expect(first).toMatchObject({ state: "unsent", reason: ofUnsent, refusal });
    const again = ended(claiming(unknown, event));
    expect(again).toMatchObject({ state: "unknown", doubt: "unknown", reason: ofUnknown });
  });

  test("is not sent if it was stopped meanwhile", () => {
    expect(ended(claiming(unsent, allowed, cancelled)).reason).toBe("cancelled");
    const refused = { kind: "not-claimed", refusal: { kind: "away", error: away }, waitedMs: 0 };
    expect(ended(claiming(unsent, refused as SendEvent, cancelled)).reason).toBe("cancelled");
  });

  test("has its whole time after it waited for a colleague's account", () => {
    const waitedMs = unsent.limits.totalMs * 2;
    const after = { ...moment, now: at + waitedMs, elapsed: at + waitedMs };
    expect(claiming(unsent, { kind: "claimed", permit, waitedMs }, after).state.kind).toBe(
      "beginning",
    );
    expect(ended(claiming(unsent, allowed, after)).reason).toBe("deadline");
  });

  test("is not sent with a permission that became too old", () => {
    const late = step({ kind: "beginning", known: unsent }, { kind: "too-late" }, moment);
    expect(ended(late)).toMatchObject({ state: "unsent", reason: "deadline" });
  });
});

describe("the first step", () => {
  test.each([
    ["a write of an account", known(notes("one")), "send", ["turn"], true],
    ["one that is in doubt waits first", known(notes("one"), inDoubt), "send", ["wait"], false],
    ["a supply point is looked up first", point, "send", ["look-up"], false],
    [
      "a verification looks and sends nothing",
      known(supplyPoint(), { lastEndedAt: 0 }),
      "verify",
      ["look-up"],
      false,
    ],
  ] as const)("%s", (_what, of, purpose, effects, atOnce) => {
    expect(kinds(open(of, purpose, moment))).toEqual(effects);
    expect(beginsAtOnce(of)).toBe(atOnce);
  });

  test("a supply point in doubt is looked up as one that might have been created", () => {
    expect(open(known(supplyPoint(), inDoubt), "send", moment).effects).toEqual([
      { kind: "look-up", purpose: "after" },
    ]);
  });

  test("no attempt starts after the time limit", () => {
    const queued = open(known(notes("one"), { deadline: at }), "send", moment);
    const next = step(queued.state, { kind: "granted", waitedMs: 0 }, moment);
    expect(ended(next)).toMatchObject({ state: "unsent", reason: "deadline" });
  });
});

describe("an answer", () => {
  test.each([
    ["that confirms ends it", note, created, { state: "confirmed", doubt: "none" }],
    ["of 400 ends it as rejected", note, answer(400, {}), { state: "rejected", doubt: "none" }],
    [
      "of 400 after doubt leaves it unknown",
      { ...note, ...inDoubt },
      answer(400, {}),
      { state: "unknown" },
    ],
    [
      "that never comes leaves a payment unknown",
      payment,
      noAnswer,
      { state: "unknown", reason: "no-answer" },
    ],
  ] as const)("%s", (_what, of, sent, after) => {
    expect(ended(sendingOf(of, sent))).toMatchObject(after);
  });

  test.each([
    [
      "503 of notes",
      note,
      answer(503, ""),
      { next: "resend", state: "unknown", wait: { kind: "settle" } },
    ],
    [
      "429 of a payment",
      payment,
      answer(429, ""),
      { next: "resend", state: "retryable", wait: { kind: "rate-limit" } },
    ],
    [
      "500 of a payment",
      payment,
      answer(500, ""),
      { next: "resend", doubt: "vendor", state: "retryable" },
    ],
    ["no connection", payment, neverSent, { next: "resend", state: "unsent" }],
    ["503 of a supply point", point, answer(503, ""), { next: "look-up", doubt: "unknown" }],
  ] as const)("after which it goes on: %s", (_what, of, sent, decided) => {
    expect(verdict(sendingOf(of, sent))).toMatchObject(decided);
  });

  test("blocks the form of a payment that was refused", () => {
    expect(sendingOf(payment, answer(400, {})).effects).toMatchObject([
      { kind: "record", over: true, block: true },
    ]);
  });

  test("a response to another request closes the connection and confirms nothing", () => {
    const other = answer(201, { acme_account_number: "A-1", reference: "R-2" });
    const next = sendingOf(payment, other);
    expect(kinds(next)).toEqual(["renew-connections", "record"]);
    expect(ended(next)).toMatchObject({ state: "unknown", items: [{ outcome: "unknown" }] });
  });

  test("that never comes because the user canceled is not waited for again", () => {
    expect(ended(sendingOf(note, noAnswer, cancelled))).toMatchObject({
      state: "unknown",
      reason: "cancelled",
    });
  });
});

describe("a wait", () => {
  const after503 = states.find(({ kind }) => kind === "recording");
  if (after503?.kind !== "recording") throw new Error("no recording");

  test("uses up a resend, and ends when a request that was given up can no longer run", () => {
    const next = step(after503, recorded, moment);
    expect(next.state.known.resendsLeft).toBe(note.resendsLeft - 1);
    expect(next.effects.at(-1)).toMatchObject({ why: "settle", until: at + 10_000 });
  });

  test("that the service asks for uses up no resend and moves the deadline", () => {
    const busy: Moment = { ...moment, limitedUntil: at + 30_000 };
    const next = open(known(notes("one"), inDoubt), "send", busy);
    expect(next.effects).toMatchObject([{ kind: "wait", why: "rate-limit", until: at + 30_000 }]);
    expect(next.state.known).toMatchObject({ rateLimitedMs: 30_000, deadline: at + 120_000 });
  });

  test.each([
    ["longer than the service may ask in all", { limitedUntil: at + 600_001 }, {}, "rate-limited"],
    ["beyond the deadline", {}, { deadline: at + 10_000 }, "deadline"],
  ] as const)("%s is not begun", (_what, when, extra, reason) => {
    const of = known(notes("one"), { ...inDoubt, ...extra });
    expect(ended(open(of, "send", { ...moment, ...when }))).toMatchObject({ reason });
  });

  test("waiting for the account lock does not use the time of the write, and is limited", () => {
    const queued = step({ kind: "waiting", known: note, next: { kind: "resend" } }, waited, moment);
    expect(queued.effects).toEqual([{ kind: "turn", maxMs: 600_000 }]);
    const next = step(queued.state, { kind: "granted", waitedMs: 30_000 }, moment);
    expect(next.state.known).toMatchObject({
      rateLimitedMs: 30_000,
      deadline: note.deadline + 30_000,
    });
    const never = step(queued.state, { kind: "granted", waitedMs: null }, moment);
    expect(ended(never)).toMatchObject({ reason: "rate-limited" });
  });

  test.each(["waiting", "queued", "looking-up", "polling"] as const)(
    "stopped while %s ends it, with why",
    (kind) => {
      const state = states.find((one) => one.kind === kind) as SendState;
      const cut: SendEvent = { kind: "looked-up", lookUp: { kind: "cancelled" } };
      const turn: SendEvent = { kind: "granted", waitedMs: 0 };
      const event = kind === "waiting" ? waited : kind === "queued" ? turn : cut;
      expect(ended(step(state, event, cancelled))).toMatchObject({ reason: "cancelled" });
      const paused: Moment = { ...moment, stopped: "run-paused" };
      expect(ended(step(state, event, paused))).toMatchObject({ reason: "run-paused" });
    },
  );
});

describe("a look at a supply point", () => {
  const lookedUp = (of: SendFacts, lookUp: Extract<SendEvent, { kind: "looked-up" }>["lookUp"]) =>
    step({ kind: "looking-up", known: of }, { kind: "looked-up", lookUp }, moment);

  test("that finds one before anything was sent reports and records it, and confirms nothing", () => {
    const next = lookedUp(point, found);
    expect(kinds(next)).toEqual(["report found-before", "save-look-up"]);
    expect(next.state.known.entry.lookedUp).toEqual({ found: true, ...process });
  });

  test("that finds one after doubt confirms the entry", () => {
    const of = known(supplyPoint(), inDoubt, { lookedUp: { found: false } });
    expect(ended(lookedUp(of, found))).toMatchObject({
      state: "confirmed",
      reason: "looked-up",
      items: [{ outcome: "created", status: "CREATED" }],
    });
  });

  test("that finds none after doubt keeps the mark of the first look and sends again later", () => {
    const next = lookedUp(known(supplyPoint(), inDoubt), { kind: "absent" });
    expect(kinds(next)).toEqual(["looked-up", "wait"]);
  });

  test.each([
    ["credentials", "credentials"],
    ["unreachable", "never-sent"],
  ] as const)("that fails with %s sends nothing", (kind, reason) => {
    const error = new ServiceError(kind, "no", { sent: false });
    expect(ended(lookedUp(point, { kind: "failed", error }))).toMatchObject({
      state: "unsent",
      reason,
      error,
    });
  });

  test("that fails otherwise leaves no mark, and the write is sent", () => {
    const error = new ServiceError("unavailable", "no", { sent: true, httpStatus: 503 });
    expect(lookedUp(point, { kind: "failed", error }).effects).toEqual([
      { kind: "save-look-up", lookedUp: null },
    ]);
  });

  test("a lookup is repeated twice, then the outcome is unknown", () => {
    const of = known(supplyPoint(), inDoubt);
    const polled = (n: number) =>
      step(
        { kind: "polling", known: of, n },
        { kind: "looked-up", lookUp: { kind: "absent" } },
        moment,
      );
    expect(polled(1).state).toMatchObject({ kind: "waiting", next: { kind: "look-up", n: 2 } });
    expect(polled(2).state).toMatchObject({ kind: "waiting", next: { kind: "look-up", n: 3 } });
    expect(ended(polled(3))).toMatchObject({ state: "unknown", doubt: "unknown" });
  });
});

describe("an end", () => {
  const finishing = (of: SendFacts, event: SendEvent) => {
    const next = step({ kind: "finishing", known: of, attempt }, event, moment);
    if (next.state.kind !== "over") throw new Error(next.state.kind);
    return { result: next.state.result, effects: kinds(next) };
  };
  const confirmed: SendFacts = { ...note, state: "confirmed" };

  test("that cannot be recorded is unknown, and the attempt is not reported", () => {
    const { result, effects } = finishing(confirmed, { ...recorded, failure: full });
    expect(result).toMatchObject({
      outcome: "unknown",
      reason: "not-recorded",
      mayHaveTakenEffect: true,
      journalError: full,
    });
    expect(effects).not.toContain("report attempt-ended");
  });

  test("of what was never sent stays unsent although it cannot be recorded", () => {
    const { result } = finishing({ ...note, state: "unsent" }, { ...recorded, failure: full });
    expect(result).toMatchObject({ outcome: "unsent", mayHaveTakenEffect: false });
  });

  test("that another process has settled otherwise is unknown", () => {
    const takenOver = entryOf(notes("one"), { state: "closed", reason: "closed-by-operator" });
    const { result } = finishing(confirmed, { ...recorded, takenOver });
    expect(result).toMatchObject({ outcome: "unknown", reason: "closed-by-operator" });
  });

  test("between attempts that cannot be recorded sends nothing more and reports nothing", () => {
    const recording = states.find(({ kind }) => kind === "recording") as SendState;
    const next = step(recording, { ...recorded, failure: full }, moment);
    expect(next).toMatchObject({ state: { kind: "over" }, effects: [] });
  });
});
