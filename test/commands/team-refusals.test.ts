/** The words, the kind and the exit code of a write that the ledger of a team refused. */
import { exitCodeOf } from "../../src/commands/exit-codes.ts";
import { explainWithoutFields } from "../../src/commands/writes/body.ts";
import { failureOfWrite } from "../../src/commands/writes/outcome-failure.ts";
import { AppError, type ErrorKinds } from "../../src/errors/app-error.ts";
import { sandboxProfile } from "../../src/settings/sandbox-profile.ts";
import type { ActivityOutcome } from "../../src/writes/activity.ts";
import type { Reason } from "../../src/writes/journal/entry.ts";
import { resultOf, type SendFacts } from "../../src/writes/send/state.ts";
import type { BarReason, LedgerRefusal, TeamEntry } from "../../src/writes/team/ledger.ts";
import { known } from "../writes/classifying.ts";
import { instruction } from "../writes/writing.ts";

const theirs: TeamEntry = {
  id: 1042,
  journal: "j",
  localId: 9,
  person: "op2",
  machine: "bastion-2\u001b[2J",
  login: "op2",
  state: "confirmed",
  at: Date.parse("2026-11-28T09:14:03Z"),
  isLeaseOver: false,
  isRemoved: false,
};

const sentBefore = (state: ActivityOutcome, more: Partial<TeamEntry> = {}): LedgerRefusal => ({
  kind: "barred",
  why: "sent-before",
  entry: null,
  findings: [
    { position: 0, kind: "sent-before", state, earlier: { ...theirs, ...more }, isPassed: false },
  ],
});

const barred = (why: BarReason, more: Partial<TeamEntry> = {}): LedgerRefusal => ({
  kind: "barred",
  why,
  findings: [],
  entry: { ...theirs, ...more },
});

const away = (kind: ErrorKinds["team"]): LedgerRefusal => ({
  kind: "away",
  error: new AppError("team", kind, "the team's database db.example.com does not answer"),
});

function failureAfter(refusal: LedgerRefusal, reason: Reason, before: Partial<SendFacts> = {}) {
  const { entry, write, ...facts } = known(instruction(), {
    ...{ state: "unsent", reason, refusal },
    ...before,
  });
  const result = resultOf({ entry, write, ...facts }, null);
  return failureOfWrite({
    result,
    facts: write.facts,
    query: {},
    context: { doing: "sending" },
    profile: sandboxProfile,
    explain: explainWithoutFields,
    team: null,
  });
}

const named = ["t1042", "op2 on bastion-2", "2026-11-28T09:14:03Z"];

test.each<[string, LedgerRefusal, Reason, string, number, readonly string[]]>([
  ["confirmed", sentBefore("confirmed"), "sent-before", "duplicate", 2, ["confirmed", ...named]],
  [
    "being sent",
    sentBefore("sending"),
    "sent-before",
    "duplicate",
    2,
    ["being sent now", ...named],
  ],
  [
    "past its lease",
    sentBefore("sending", { isLeaseOver: true }),
    "sent-before",
    "duplicate",
    2,
    ["no outcome arrived", "might have taken effect", ...named],
  ],
  ["unknown", sentBefore("unknown"), "sent-before", "duplicate", 2, ["might have", ...named]],
  ["closed", sentBefore("closed"), "sent-before", "duplicate", 2, ["might have", ...named]],
  ["of an older folder", barred("recorded"), "team-refused", "not-possible", 2, ["older"]],
  ["of a copied folder", barred("copied"), "team-refused", "not-possible", 2, ["bastion-2"]],
  ["given up", barred("given-up"), "team-refused", "not-possible", 2, ["activity resend 7"]],
  ["of a restored ledger", barred("restored"), "team-refused", "not-possible", 2, ["team status"]],
  ["busy", { kind: "busy", entry: theirs }, "account-busy", "in-use", 6, ["op2 on bastion-2"]],
  ["away", away("team-unavailable"), "team-away", "team-unavailable", 6, ["db.example.com"]],
  ["a refused login", away("team-credentials"), "team-away", "team-credentials", 3, []],
  ["no ledger", away("team-not-set-up"), "team-away", "team-not-set-up", 2, []],
  ["another version", away("team-version"), "team-away", "team-version", 2, []],
])("an entry that is %s is refused by name", (_, refusal, reason, kind, exitCode, words) => {
  const failure = failureAfter(refusal, reason);
  expect(failure).toMatchObject({ kind, exitCode, journalId: 7 });
  for (const part of words) expect(failure.message).toContain(part);
  expect(failure.message).toContain("Nothing was sent.");
  expect(failure.message).not.toContain("\u001b");
  const passes = ["duplicate", "blocked"].includes(kind) && !words.includes("being sent now");
  expect(failure.message.includes("--again")).toBe(passes);
});

test.each<[string, LedgerRefusal, Reason, string]>([
  [
    "a colleague closed",
    barred("recorded", { state: "closed" }),
    "team-refused",
    "activity show t1042",
  ],
  ["a colleague sent, too", sentBefore("confirmed"), "team-refused", "t1042"],
  ["no claim is left for", { kind: "lost" }, "team-refused", "no longer has"],
  ["no ledger answered about", away("team-unavailable"), "team-away", "db.example.com"],
  ["waits for the account", { kind: "busy", entry: theirs }, "account-busy", "op2 on bastion-2"],
])(
  "the resend of an entry in doubt that %s says why it was not sent",
  (_, refusal, reason, words) => {
    for (const state of ["unknown", "retryable"] as const) {
      const doubt = state === "unknown" ? "unknown" : "vendor";
      const { message, exitCode } = failureAfter(refusal, reason, { state, doubt });
      expect(exitCode).toBe(7);
      expect(message).toContain(words);
      expect(message).toContain("It was not sent again.");
      expect(message).toContain("might have taken effect");
      expect(message).not.toContain("older than its own claims");
    }
  },
);

test("a row of a run without its refusal has the code of the reason", () => {
  const row = { mayHaveTakenEffect: false, httpStatus: null, error: null, refusal: null };
  const code = (reason: Reason) => exitCodeOf({ ...row, outcome: "unsent", reason });
  expect([code("team-away"), code("team-refused"), code("sent-before")]).toEqual([6, 2, 2]);
});
