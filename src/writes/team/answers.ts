/** The shapes of the ledger's answers. Everything in them comes from other machines. */
import * as z from "zod/mini";
import {
  type Approval,
  type ApprovalRow,
  type DecisionAnswer,
  fourEyes,
  standings,
  type Unapproved,
  unapprovedReasons,
} from "./approvals.ts";
import type { CloseAnswer, ListedEntry, TeamEntry, TeamFinding } from "./ledger.ts";
import type {
  ColleagueClosing,
  DoneOfPerson,
  LedgerAct,
  OpenOfPerson,
  OpenWork,
  TeamRun,
} from "./ledger-views.ts";

const states = [
  "unsent",
  "sending",
  "confirmed",
  "rejected",
  "retryable",
  "unknown",
  "closed",
] as const;
const state = z.enum(states);
const tookEffect = z.enum(["yes", "no", "unknown"]);
const text = z.nullable(z.string());
const whole = z.nullable(z.int());

const entryFields = {
  id: z.int(),
  journal: z.string(),
  localId: z.int(),
  person: z.string(),
  machine: z.string(),
  login: z.string(),
  state,
  at: z.int(),
  isLeaseOver: z.boolean(),
  isRemoved: z.boolean(),
};
const entry: z.ZodMiniType<TeamEntry> = z.object(entryFields);

const finding: z.ZodMiniType<TeamFinding> = z.object({
  position: z.int(),
  kind: z.enum(["sent-before", "refused-before", "reported"]),
  state: z.nullable(state),
  earlier: entry,
  isPassed: z.boolean(),
});

const token = z.string();
const why = z.enum([
  "sent-before",
  "refused-before",
  "recorded",
  "copied",
  "given-up",
  "restored",
  "unapproved",
]);

/** A request for an approval. */
export const approvalAnswer: z.ZodMiniType<Approval> = z.object({
  id: z.int(),
  operation: z.string(),
  profile: z.string(),
  run: text,
  source: text,
  reading: z.nullable(z.record(z.string(), z.string())),
  rows: z.int(),
  sum: text,
  suppliers: z.array(z.string()),
  overrides: z.int(),
  chain: z.string(),
  left: z.int(),
  journal: z.string(),
  person: z.string(),
  machine: z.string(),
  login: z.string(),
  isMine: z.boolean(),
  at: z.int(),
  expiresAt: z.int(),
  standing: z.enum(standings),
  decidedBy: text,
  decider: text,
  decidedAt: whole,
  reason: text,
});

const override = z.object({
  reason: z.string(),
  passes: z.array(
    z.object({
      key: z.string(),
      kind: z.enum(["sent-before", "refused-before"]),
      entry: z.object({ of: z.enum(["ledger", "journal"]), id: z.int() }),
    }),
  ),
});

/** A page of rows of a request. */
export const approvalRows: z.ZodMiniType<readonly ApprovalRow[]> = z.array(
  z.object({
    position: z.int(),
    localId: z.int(),
    line: whole,
    content: z.string(),
    importSupplier: z.string(),
    externalAccountNumber: text,
    amount: text,
    reference: text,
    day: text,
    itemId: text,
    again: z.nullable(override),
    isUsed: z.boolean(),
  }),
);

/** The answer of `decide`. */
export const decisionAnswer: z.ZodMiniType<DecisionAnswer> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("not-found") }),
  z.object({
    kind: z.enum(["approved", "refused", "not-open", "ci", "own", "other-amounts"]),
    approval: approvalAnswer,
  }),
]);

const unapproved: z.ZodMiniType<Unapproved> = z.object({
  why: z.enum(unapprovedReasons),
  request: z.nullable(approvalAnswer),
});

const claimAnswer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("claimed"),
    token,
    id: z.int(),
    findings: z.array(finding),
  }),
  z.object({
    kind: z.literal("barred"),
    token,
    why,
    findings: z.array(finding),
    entry: z.nullable(entry),
    approval: z.optional(unapproved),
  }),
  z.object({ kind: z.literal("busy"), token, entry }),
]);

const ledgerState = { epoch: z.string(), newest: z.int() };

export const claimAnswers = z.object({ ...ledgerState, answers: z.array(claimAnswer) });

export const publishAnswer = z.object({ ...ledgerState, refused: z.array(z.int()) });

export const askAnswer = z.array(z.array(finding));

export const renewAnswer = z.array(z.string());

export const closeAnswer: z.ZodMiniType<CloseAnswer> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("closed") }),
  z.object({ kind: z.literal("not-open"), entry }),
  z.object({ kind: z.literal("not-found") }),
]);

const listed: z.ZodMiniType<ListedEntry> = z.object({
  ...entryFields,
  service: z.string(),
  profile: z.string(),
  operation: z.string(),
  importSupplier: text,
  externalAccountNumber: text,
  externalIdentifier: text,
  run: text,
  line: whole,
  tookEffect: z.nullable(tookEffect),
  httpStatus: whole,
  code: text,
  attempts: z.int(),
  settledAt: whole,
});

export const listAnswer = z.array(listed);

/** The answer of `leave`. */
export const leaveAnswer = z.literal(true);

const authorFields = { person: z.string(), machine: z.string(), login: z.string() };

const closing: z.ZodMiniType<ColleagueClosing> = z.object({
  localId: z.int(),
  tookEffect,
  act: z.enum(["closed", "verified"]),
  author: z.object(authorFields),
  reason: z.string(),
});

/** The closings of a folder's entries by colleagues. */
export const closingsAnswer = z.array(closing);

const act: z.ZodMiniType<LedgerAct> = z.object({
  ...authorFields,
  kind: z.enum(["override", "closed", "verified", "twice"]),
  at: z.int(),
  reason: text,
});

/** The acts on an entry. */
export const actsAnswer = z.array(act);

const run: z.ZodMiniType<TeamRun> = z.object({
  ...authorFields,
  journal: z.string(),
  run: z.string(),
  profile: z.string(),
  operation: z.string(),
  requests: whole,
  firstAt: z.int(),
  lastAt: z.int(),
  counts: z.partialRecord(state, z.int()),
});

/** The runs of other folders. */
export const runsAnswer = z.array(run);

const open: z.ZodMiniType<OpenOfPerson> = z.object({
  ...authorFields,
  importSupplier: z.string(),
  unknown: z.int(),
  retryable: z.int(),
});

/** The open work of other folders. */
export const openAnswer: z.ZodMiniType<OpenWork> = z.object({
  people: z.array(open),
  fourEyes: z.enum(fourEyes),
});

const done: z.ZodMiniType<DoneOfPerson> = z.object({
  ...authorFields,
  operation: z.string(),
  importSupplier: z.string(),
  outcome: state,
  tookEffect,
  entries: z.int(),
  rows: z.int(),
});

/** The sums of the entries of other folders. */
export const doneAnswer = z.array(done);

export const pageAnswer = z.object({
  epoch: z.string(),
  /** The oldest transaction that was running. Later ones can still commit. */
  floor: z.string(),
  entries: z.array(z.object({ changed: z.string(), entry: listed })),
});
