/**
 * The history of one write, judged by the retry table as the documents state it and by what the
 * service saw, with nothing of the program's own table.
 */
import type { Endpoint } from "../../src/sandbox/endpoints.ts";
import type { Seen } from "../evidence.ts";
import type { Violation } from "../invariants/invariant.ts";
import { isWrite } from "../invariants/journal-and-ledger.ts";
import { isDeduplicated, type WriteKind } from "../writes.ts";
import { type Sight, sightOf } from "./fault-list.ts";

export interface History {
  readonly journalId: number;
  readonly kind: WriteKind;
  /** The point at which the fault of the cell is injected. */
  readonly injectedAt: Endpoint;
  /** The port was closed for a while. */
  readonly portClosed: boolean;
  /** The requests of this write that arrived, in order. */
  readonly seen: readonly Seen[];
  /** The result of `submit`. */
  readonly outcome: string;
  /** True if the write had taken effect when `submit` resolved. */
  readonly tookEffect: boolean;
}

/** One request and three resends. */
const mostAttempts = 4;
const maxVendorFailures = 3;

type Rule = {
  readonly name: string;
  readonly promise: string;
  readonly broken: (history: Facts) => string | null;
};

interface Facts extends History {
  /** Requests of the write itself, and what each showed. */
  readonly sights: readonly Sight[];
  readonly last: Seen | undefined;
  readonly inDoubt: boolean;
}

const historyRules: readonly Rule[] = [
  {
    name: "no unsafe resend",
    promise: "what might have taken effect is sent again only where the table allows it",
    broken: ({ kind, sights, seen }) => {
      if (isDeduplicated(kind)) return null;
      const doubtful = sights.findIndex((sight) => isDoubtful(kind, sight));
      if (doubtful < 0 || doubtful === sights.length - 1) return null;
      return `sent again after ${faultsIn(seen)}`;
    },
  },
  {
    name: "refusal ends it",
    promise: "a 3xx, 400, 403, 404, 409 or 423 is not followed by a resend",
    broken: ({ sights, seen }) => {
      const refused = sights.findIndex(endsIt);
      return refused < 0 || refused === sights.length - 1
        ? null
        : `sent again after ${faultsIn(seen)}`;
    },
  },
  {
    name: "resends are few",
    promise: "no more than three resends of one write",
    broken: ({ seen, sights }) => {
      // Neither a renewed token nor a wait that the service asks for uses up a resend.
      const free = seen.filter(({ answered }) => answered === 401 || answered === 429);
      const sent = sights.length - free.length;
      return sent > mostAttempts ? `sent ${sent} times` : null;
    },
  },
  {
    name: "heard is confirmed",
    promise: "a write whose last request was answered in full is confirmed",
    broken: ({ kind, last, outcome }) => {
      if (kind === "transactions with one refused") return null;
      const answered = last?.answered ?? 0;
      const good = sightOf(last?.fault ?? null) === "answer" && answered >= 200 && answered < 300;
      return good && outcome !== "confirmed" ? `${outcome}, although answered ${answered}` : null;
    },
  },
  {
    name: "no needless unknown",
    promise: "unknown only where the table leaves it so",
    broken: (history) => {
      if (history.outcome !== "unknown") return null;
      const why = needless(history);
      return why === null ? null : `unknown, although ${why} (${faultsIn(history.seen)})`;
    },
  },
  {
    name: "no needless failure",
    promise: "what may be sent again is, until the resends are used up",
    broken: ({ outcome, sights, kind, portClosed, seen, injectedAt }) => {
      if (!["unsent", "retryable"].includes(outcome)) return null;
      if (portClosed || sights.at(-1) === "refusal") return null;
      if (injectedAt === "token" || injectedAt === "supply-point-status") return null;
      const vendor =
        kind === "payment instructions" ? sights.filter((sight) => sight === "500").length : 0;
      const used = sights.length >= mostAttempts || vendor >= maxVendorFailures;
      return used ? null : `${outcome} after ${faultsIn(seen)}`;
    },
  },
];

/** Returns the violations of a rule in the histories of one cell. */
export function historyViolations(histories: readonly History[]): readonly Violation[] {
  return histories.flatMap((history) => {
    const facts = factsOf(history);
    return historyRules.flatMap(({ name, broken }) => {
      const what = broken(facts);
      return what === null
        ? []
        : [{ invariant: name, what: `entry ${history.journalId}: ${what}` }];
    });
  });
}

function factsOf(history: History): Facts {
  const mine = history.seen.filter(
    ({ endpoint }) => isWrite(endpoint) || endpoint === "connection",
  );
  const sights = mine.map(({ fault }) => sightOf(fault));
  const inDoubt = sights.some((sight) => isDoubtful(history.kind, sight));
  return { ...history, sights, last: mine.at(-1), inDoubt };
}

/** An answer of an odd shape may be one that cannot be read. */
function isDoubtful(kind: WriteKind, sight: Sight): boolean {
  return (
    sight === "doubt" ||
    sight === "open" ||
    sight === "conflict" ||
    (sight === "500" && kind !== "payment instructions")
  );
}

/** Nothing is sent after it. */
function endsIt(sight: Sight): boolean {
  return sight === "refusal" || sight === "open" || sight === "conflict";
}

/** Returns the reason for which a write need not have ended as unknown, or null if it had to. */
function needless(history: Facts): string | null {
  const { kind, sights, inDoubt, tookEffect, injectedAt } = history;
  if (kind === "transactions with one refused") return null;
  // Whether the headers had left when a new connection was reset, only the client knows.
  if (history.seen.some(({ endpoint }) => endpoint === "connection")) return null;
  const odd = sights.includes("odd");
  if (!inDoubt && !odd && !(sights.includes("500") && sights.includes("refusal"))) {
    return "nothing was in doubt";
  }
  if (sights.at(-1) === "conflict" && !sights.slice(0, -1).some((one) => isDoubtful(kind, one))) {
    return "it was refused";
  }
  // A new token is tried once (401): refused with that as well, it is the credentials that are.
  if (isRefusedAnew(history.seen)) return null;
  const last = sights.at(-1);
  if (isDeduplicated(kind) && !(last && endsIt(last)) && sights.length < mostAttempts) {
    return `it could be sent again, and was only ${sights.length} times`;
  }
  // A redirect leaves the look to an operator.
  if (last === "open") return null;
  if (kind === "supply points" && tookEffect && injectedAt !== "supply-point-status") {
    return "it could be seen there";
  }
  return null;
}

/** Returns true if the last request was answered 401 with a token that was obtained after a 401. */
function isRefusedAnew(seen: readonly Seen[]): boolean {
  const mine = seen.flatMap(({ endpoint }, at) => (isWrite(endpoint) ? [at] : []));
  const [before = -1, last = -1] = mine.slice(-2);
  const isRefused = (at: number) => seen[at]?.answered === 401;
  const renewed = seen
    .slice(before + 1, last)
    .some(({ endpoint, answered }) => endpoint === "token" && answered === 200);
  return isRefused(before) && isRefused(last) && renewed;
}

function faultsIn(seen: readonly Seen[]): string {
  return seen.map(({ endpoint, fault }) => `${fault ?? "nothing"}@${endpoint}`).join(", ");
}
