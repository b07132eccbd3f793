/**
 * The port to the requests and approvals in a team's ledger. Where the policy of a service asks for
 * two people, a claim of money passes only under the approval of another login for exactly its bytes.
 */
import * as z from "zod/mini";
import type { Operation } from "../kinds/kind.ts";
import { type Answer, authorFields, maybeText, maybeWhole } from "./answers.ts";
import { ledgerOverride } from "./ledger-override.ts";

/** The policies of a service: two people for everything that moves money, or none. */
export const fourEyes = ["money", "none"] as const;

export type FourEyes = (typeof fourEyes)[number];

/** Maximum number of requests of a list. */
export const maxRequests = 500;

/** The requests of a service in its team's ledger. Every call rejects with a team error. */
export interface Approvals {
  /** Returns the policy, and the latest request of this state folder for a run, or null. */
  ofRun(run: string): Promise<Standing>;
  /** Publishes a request. Its rows are read in pages, in order. The same token publishes it once. */
  ask(request: NewRequest, pages: AsyncIterable<readonly NewRow[]>): Promise<Approval>;
  /** Returns the newest requests that everyone sees, the newest first, at most {@link maxRequests}. */
  list(): Promise<readonly Approval[]>;
  /**
   * Returns the requests that changed since a mark, and those of `open` whose standing or number of rows
   * left is not the same any more. Null starts with all that {@link list} returns, and so does a mark from
   * before the ledger was restored.
   */
  changes(mark: string | null, open: readonly OpenRequest[]): Promise<RequestChanges>;
  find(id: number): Promise<Approval | null>;
  /** Returns up to 500 rows of a request after a position, in order. The first follows -1. */
  rows(id: number, after: number): Promise<readonly ApprovalRow[]>;
  decide(id: number, decision: Decision): Promise<DecisionAnswer>;
}

/** A request as a reader has it. Time and claims change these facts without a change of the request. */
type OpenRequest = Pick<Approval, "id" | "standing" | "left">;

interface RequestChanges {
  /** The newest first, at most {@link maxRequests}. */
  readonly requests: readonly Approval[];
  /** True if the requests are all that there are, and not changes. */
  readonly isWhole: boolean;
  readonly mark: string;
}

/** The policy of a service, and a request. */
interface Standing {
  readonly fourEyes: FourEyes;
  readonly request: Approval | null;
}

/** The facts of a request that only its machine knows. The ledger computes the others from its rows. */
export interface NewRequest extends Pick<Approval, "profile" | "run" | "source" | "reading"> {
  /** The random name of the request. */
  readonly token: string;
  readonly service: string;
  readonly operation: Operation;
}

/** The row of a request. */
export const approvalRow = z.object({
  position: z.int(),
  /** The ID of the entry in the journal of the machine that prepared the request. */
  localId: z.int(),
  line: maybeWhole,
  /** The hash of the exact request (prepare.ts). */
  content: z.string(),
  importSupplier: z.string(),
  externalAccountNumber: maybeText,
  /** Decimal text, or null if the item has no amount. */
  amount: maybeText,
  reference: maybeText,
  day: maybeText,
  itemId: maybeText,
  /** The override that the entry is sent with, or null. */
  again: z.nullable(ledgerOverride),
  /** True if a claim has used the row. */
  isUsed: z.boolean(),
});

/** The row of a request. All texts come from other machines and are not trusted. */
export type ApprovalRow = Answer<typeof approvalRow>;

/** One item of an entry that is to be sent. */
export interface NewRow extends Omit<ApprovalRow, "isUsed"> {
  /** The hash of all requests up to this one, in the order of the rows (prepare.ts). */
  readonly chain: string;
}

/** A request, as the ledger answers it. */
export const approval = z.object({
  id: z.int(),
  operation: z.string(),
  profile: z.string(),
  run: maybeText,
  /** The name of the input file without its folder, or null if there is none. */
  source: maybeText,
  /**
   * The texts with which the rows of a file were read (run-settings.ts), or the query of a single
   * write. Null if there is no file.
   */
  reading: z.nullable(z.record(z.string(), z.string())),
  rows: z.int(),
  /** The exact sum of the amounts as decimal text, or null if no row has an amount. */
  sum: maybeText,
  suppliers: z.array(z.string()),
  /** Number of rows that override an earlier entry. */
  overrides: z.int(),
  chain: z.string(),
  /** Number of rows that no claim has used. */
  left: z.int(),
  /** The state folder that prepared the request. */
  journal: z.string(),
  ...authorFields,
  /** True if this connection has the login of the request. */
  isMine: z.boolean(),
  at: z.int(),
  expiresAt: z.int(),
  /** The standing: if the request waits, allows its rows, or allows nothing any more. */
  standing: z.enum(["waits", "approved", "refused", "expired", "used"]),
  /** The login of the decision, or null while there is none. */
  decidedBy: maybeText,
  /** The name of the person who decided. */
  decider: maybeText,
  decidedAt: maybeWhole,
  /** The reason of a refusal, or null. */
  reason: maybeText,
});

/** A request. Texts come from other machines and are not trusted. Instants are epoch milliseconds by the clock of the database. */
export type Approval = Answer<typeof approval>;

export type RequestStanding = Approval["standing"];

/** Returns true if a request can still be refused, and if time or a claim can change its standing. */
export function isOpen({ standing }: Pick<Approval, "standing">): boolean {
  return standing === "waits" || standing === "approved";
}

/** The decision on a request. An approval names the amounts, so that nothing else is approved. */
export type Decision =
  | { readonly kind: "approve"; readonly rows: number; readonly sum: string | null }
  | { readonly kind: "refuse"; readonly reason: string };

/**
 * The answer to a decision. `not-open`: the request is decided, expired or used. `ci`: the login of CI
 * may not approve. `own`: the login prepared the request. `other-amounts`: the request has another
 * number of rows or another sum.
 */
export const decisionAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("not-found") }),
  z.object({
    kind: z.enum(["approved", "refused", "not-open", "ci", "own", "other-amounts"]),
    approval,
  }),
]);

export type DecisionAnswer = Answer<typeof decisionAnswer>;

/**
 * The reason for which a claim has no approval, with the latest request for its entry, or null. `none`:
 * there is no request. `used`: a claim has used the approval. `changed`: the request is for other bytes
 * or another override.
 */
export const unapproved = z.object({
  why: z.enum(["none", "waits", "refused", "expired", "used", "changed"]),
  request: z.nullable(approval),
});

export type Unapproved = Answer<typeof unapproved>;

/** Returns the name of a request, as commands take it. */
export function approvalName({ id }: Pick<Approval, "id">): string {
  return `a${id}`;
}

/** Reads all rows of a request, in order, in pages. */
export async function* pagesOf(
  approvals: Pick<Approvals, "rows">,
  id: number,
): AsyncGenerator<readonly ApprovalRow[], void, void> {
  for (let after = -1; ; ) {
    const page = await approvals.rows(id, after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.position;
  }
}
