/** The shapes of the ledger's answers. Everything in them comes from other machines. */
import * as z from "zod/mini";
import {
  type Approval,
  type ApprovalRow,
  type DecisionAnswer,
  standings,
  type Unapproved,
  unapprovedReasons,
} from "./approvals.ts";
import type { CloseAnswer, ListedEntry, TeamEntry, TeamFinding } from "./ledger.ts";

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

/** An answer to one claim, with the token of the claim. */
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

/** The answer of `claim`. */
export const claimAnswers = z.object({ ...ledgerState, answers: z.array(claimAnswer) });

/** The answer of `publish`. */
export const publishAnswer = z.object({ ...ledgerState, refused: z.array(z.int()) });

/** The answer of `ask`: the findings of each question. */
export const askAnswer = z.array(z.array(finding));

/** The answer of `renew`. */
export const renewAnswer = z.array(z.string());

/** The answer of `close`. */
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
  tookEffect: z.nullable(z.enum(["yes", "no", "unknown"])),
  httpStatus: whole,
  code: text,
  attempts: z.int(),
  settledAt: whole,
});

/** The entries of a list. */
export const listAnswer = z.array(listed);

/** A page of entries, each with the transaction that changed it last. */
export const pageAnswer = z.object({
  epoch: z.string(),
  /** The oldest transaction that was running. Later ones can still commit. */
  floor: z.string(),
  entries: z.array(z.object({ changed: z.string(), entry: listed })),
});
