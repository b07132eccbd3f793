import type { EntryEvidence, Evidence, Seen } from "../../faults/evidence.ts";
import { violationsIn } from "../../faults/invariants/invariant.ts";
import { afterRecovery, invariants } from "../../faults/invariants/journal-and-ledger.ts";
import { type History, historyViolations } from "../../faults/matrix/histories.ts";
import type { LedgerEntry } from "../../src/sandbox/index.ts";

const entry = (extra: Partial<EntryEvidence> = {}): EntryEvidence => ({
  id: 1,
  parent: null,
  run: null,
  line: null,
  operation: "statements create",
  state: "confirmed",
  doubt: "none",
  reason: "answered",
  owned: false,
  sha256: "aa",
  identifier: "A-1",
  keys: ["ST-1"],
  attempts: [],
  items: new Map(),
  remarks: [],
  ...extra,
});

const effect: LedgerEntry = {
  n: 1,
  at: 0,
  endpoint: "statements",
  supplier: "CAMP",
  identifier: "A-1",
  key: "ST-1",
  cause: "request",
  detail: {},
};

const arrival = (extra: Partial<Seen> = {}): Seen => ({
  n: 1,
  at: 0,
  endpoint: "statements",
  path: "/",
  sha256: "aa",
  fault: null,
  answered: 201,
  ...extra,
});

const evidence = (extra: Partial<Evidence>): Evidence => ({
  entries: [entry()],
  claims: 0,
  journalCheck: "ok",
  effects: [effect],
  seen: [arrival()],
  reported: [],
  secretsFound: [],
  ...extra,
});

const broken = (extra: Partial<Evidence>) =>
  violationsIn(evidence(extra), [...invariants, ...afterRecovery]).map(
    ({ invariant }) => invariant,
  );

const doubtful = [{ n: 1, startedAt: 0, endedAt: 1, outcome: "no-answer" }];
const payment = { operation: "payment-instructions create", keys: ["GOODPAY/R"] } as const;

describe("what breaks a promise is noticed", () => {
  test("a write that took effect once and was confirmed breaks none", () => {
    expect(broken({})).toEqual([]);
  });

  test.each<[string, Partial<Evidence>]>([
    ["no intent lost", { reported: [{ journalId: 2, word: "queued" }] }],
    [
      "reported is recorded",
      { entries: [entry({ state: "unknown" })], reported: [{ journalId: 1, word: "confirmed" }] },
    ],
    ["one effect", { effects: [effect, effect] }],
    ["nothing unrecorded", { seen: [arrival(), arrival({ n: 2, sha256: "bb" })] }],
    ["confirmed took effect", { effects: [] }],
    ["confirmed was said", { seen: [arrival({ fault: "truncate=close" })] }],
    ["refused had no effect", { entries: [entry({ state: "rejected" })] }],
    [
      "refused had no effect",
      { entries: [entry({ state: "unknown", items: new Map([[0, "rejected"]]) })] },
    ],
    ["doubt is kept", { entries: [entry({ state: "rejected", attempts: doubtful })], effects: [] }],
    ["items agree", { entries: [entry({ items: new Map([[0, "unknown"]]) })] }],
    ["journal is sound", { journalCheck: "malformed" }],
    ["no secrets", { secretsFound: ["a token is in journal.sqlite"] }],
    ["nothing left open", { entries: [entry({ state: "sending" })] }],
    ["nothing left open", { claims: 1 }],
    [
      "refused form not resent",
      {
        entries: [entry(payment)],
        effects: [{ ...effect, key: "GOODPAY/R", endpoint: "payment-instructions" }],
        seen: [
          arrival({ endpoint: "payment-instructions", answered: 400 }),
          arrival({ n: 2, endpoint: "payment-instructions" }),
        ],
      },
    ],
  ])("%s", (name, extra) => {
    expect(broken(extra)).toContain(name);
  });

  test("an operator's resend can take effect again, and no more than once", () => {
    const entries = [entry({ remarks: ["resent"] })];
    expect(broken({ entries, effects: [effect, effect] })).toEqual([]);
    expect(broken({ entries, effects: [effect, effect, effect] })).toEqual(["one effect"]);
  });
});

const history = (extra: Partial<History>): History => ({
  journalId: 1,
  kind: "statements",
  injectedAt: "statements",
  portClosed: false,
  seen: [arrival()],
  outcome: "confirmed",
  tookEffect: false,
  ...extra,
});
const rules = (extra: Partial<History>) =>
  historyViolations([history(extra)]).map(({ invariant }) => invariant);
const lost = arrival({ fault: "reset-after", answered: null });

describe("what the retry table does not allow is noticed", () => {
  test("an answer at the first request breaks nothing, nor does doubt that stays", () => {
    expect(rules({})).toEqual([]);
    expect(rules({ seen: [lost], outcome: "unknown" })).toEqual([]);
    expect(
      rules({
        kind: "notes",
        seen: [{ ...lost, endpoint: "notes" }, arrival({ endpoint: "notes" })],
      }),
    ).toEqual([]);
  });

  test("a write that is refused with a new token as well ends there, with its doubt", () => {
    const kind = "notes";
    const gone = { ...lost, endpoint: "notes" } as const;
    const refused = arrival({ endpoint: "notes", fault: "401", answered: 401 });
    const renewed = arrival({ endpoint: "token", answered: 200 });
    const failed = arrival({ endpoint: "token", fault: "reset-before", answered: null });
    const unknown = { kind, outcome: "unknown" } as const;
    expect(rules({ ...unknown, seen: [gone, refused, renewed, refused] })).toEqual([]);
    const needless = ["no needless unknown"];
    expect(rules({ ...unknown, seen: [gone, refused, failed, refused] })).toEqual(needless);
    expect(rules({ ...unknown, seen: [gone, refused, renewed, gone] })).toEqual(needless);
  });

  test("waits that the service asks for are not counted as resends", () => {
    const asked = Array(6).fill(arrival({ fault: "429=1s", answered: 429 }));
    expect(rules({ kind: "notes", seen: [...asked, arrival()] })).toEqual([]);
  });

  test.each<[string, Partial<History>]>([
    ["no unsafe resend", { seen: [lost, arrival()] }],
    ["refusal ends it", { seen: [arrival({ fault: "403", answered: 403 }), arrival()] }],
    [
      "resends are few",
      { kind: "notes", seen: Array(5).fill(arrival({ fault: "503", answered: 503 })) },
    ],
    ["heard is confirmed", { outcome: "unknown" }],
    [
      "no needless unknown",
      { seen: [arrival({ fault: "429=1s", answered: 429 })], outcome: "unknown" },
    ],
    ["no needless unknown", { kind: "notes", seen: [lost], outcome: "unknown" }],
    [
      "no needless unknown",
      { kind: "supply points", seen: [lost], outcome: "unknown", tookEffect: true },
    ],
    [
      "no needless failure",
      { seen: [arrival({ fault: "429=1s", answered: 429 })], outcome: "retryable" },
    ],
  ])("%s", (name, extra) => {
    expect(rules(extra)).toContain(name);
  });
});
