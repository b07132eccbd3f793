/** Defines the invariants of a journal and the ledger of its service. */
import { type EntryEvidence, landings, placeOf } from "../evidence.ts";
import { sightOf } from "../matrix/fault-list.ts";
import type { Invariant } from "./invariant.ts";

const words = ({ id, operation, state }: EntryEvidence) => `entry ${id} (${operation}, ${state})`;

/** Number of times that the interface asks for a payment again that took effect: after a 500 (4.4). */
export function askedAgain(
  sha256: string,
  seen: readonly { sha256: string | null; fault: string | null }[],
) {
  return seen.filter((one) => one.sha256 === sha256 && one.fault === "500-after").length;
}

/** States in which a write had no effect, or can be sent as if it had none. */
const cleared = ["rejected", "unsent", "retryable", "intent"];

/** Refused because of another request, which might have been the same: rejected, and in doubt. */
const conflict = "409";

const byOperator = ["resent", "again"];

export const invariants: readonly Invariant[] = [
  {
    name: "no intent lost",
    promise: "every write that was reported as queued is in the journal",
    broken: ({ reported, entries }) => {
      const known = new Set(entries.map(({ id }) => id));
      const lost = reported.filter(({ journalId }) => !known.has(journalId));
      return [...new Set(lost.map(({ journalId }) => `entry ${journalId} is not in the journal`))];
    },
  },
  {
    name: "reported is recorded",
    promise: "an outcome that was reported stands in the journal",
    broken: ({ reported, entries }) => {
      const states = new Map(entries.map(({ id, state }) => [id, state]));
      return reported
        .filter(({ word }) => word === "confirmed" || word === "rejected")
        .filter(({ journalId, word }) => (states.get(journalId) ?? word) !== word)
        .map(
          ({ journalId, word }) => `${word} was reported for entry ${journalId}, which is not so`,
        );
    },
  },
  {
    name: "one effect",
    promise: "at most one effect per intent, unless an operator chose to resend",
    broken: ({ entries, effects, seen }) => {
      const tookEffect = landings(effects);
      return entries
        .filter(({ parent }) => parent === null)
        .flatMap((entry) => {
          const chosen = entry.remarks.filter((kind) => byOperator.includes(kind)).length;
          const asked = entry.operation.startsWith("payment") ? askedAgain(entry.sha256, seen) : 0;
          return entry.keys
            .map((key) => ({ key, n: tookEffect.get(placeOf(entry.identifier, key)) ?? 0 }))
            .filter(({ n }) => n > 1 + chosen + asked)
            .map(({ key, n }) => `${words(entry)}: "${key}" took effect ${n} times`);
        });
    },
  },
  {
    name: "nothing unrecorded",
    promise:
      "no bytes reach a write endpoint that the journal does not hold, each attempt the same",
    broken: ({ entries, seen }) => {
      const known = new Set(entries.map(({ sha256 }) => sha256));
      return seen
        .filter(({ endpoint }) => isWrite(endpoint))
        .filter(({ sha256 }) => sha256 !== null && !known.has(sha256))
        .map(({ n, endpoint, sha256 }) => `arrival ${n} at ${endpoint}: ${sha256?.slice(0, 12)}…`);
    },
  },
  {
    name: "confirmed took effect",
    promise: "confirmed only what the ledger holds",
    broken: ({ entries, effects }) => {
      const tookEffect = landings(effects);
      return entries
        .filter(({ state }) => state === "confirmed")
        .flatMap((entry) =>
          entry.keys
            .filter((key) => !tookEffect.has(placeOf(entry.identifier, key)))
            .map((key) => `${words(entry)}: "${key}" did not take effect`),
        );
    },
  },
  {
    name: "confirmed was said",
    promise: "confirmed only what the service has said in full, or what was seen there",
    broken: ({ entries, seen }) => {
      const said = new Set(
        seen
          .filter(({ answered, fault }) => {
            const whole = answered === 200 || answered === 201;
            return whole && ["answer", "odd"].includes(sightOf(fault));
          })
          .map(({ sha256 }) => sha256),
      );
      return entries
        .filter(({ state, reason }) => state === "confirmed" && reason === "answered")
        .filter(({ sha256 }) => !said.has(sha256))
        .map(words);
    },
  },
  {
    name: "refused had no effect",
    promise: "rejected, unsent, or to be sent again without doubt, only what had no effect",
    broken: ({ entries, effects }) => {
      const tookEffect = landings(effects);
      return entries.flatMap((entry) =>
        entry.keys
          .filter((_key, position) => saysNotLanded(entry, position))
          .filter((key) => tookEffect.has(placeOf(entry.identifier, key)))
          .map((key) => `${words(entry)}: "${key}" took effect`),
      );
    },
  },
  {
    name: "refused form not resent",
    promise: "a payment instruction answered with 400 is not sent again unchanged",
    broken: ({ entries, seen }) => {
      const again = new Set(
        entries.filter(({ remarks }) => remarks.includes("again")).map(({ sha256 }) => sha256),
      );
      const refused = new Set<string>();
      const found: string[] = [];
      for (const { n, endpoint, sha256, answered } of seen) {
        if (endpoint !== "payment-instructions" || sha256 === null) continue;
        if (refused.has(sha256) && !again.has(sha256)) found.push(`arrival ${n}`);
        if (answered === 400) refused.add(sha256);
      }
      return found;
    },
  },
  {
    name: "doubt is kept",
    promise: "a write in doubt is not called refused by what is answered later",
    broken: ({ entries }) =>
      entries
        .filter(({ attempts, operation, state, doubt }) =>
          attempts.some(({ outcome }) =>
            outcome === conflict
              ? state === "rejected" && doubt === "none"
              : isDoubt(outcome, operation) && cleared.includes(state),
          ),
        )
        .map(words),
  },
  {
    name: "items agree",
    promise: "a confirmed write has no item that is not",
    broken: ({ entries }) =>
      entries
        .filter(
          ({ state, items }) =>
            state === "confirmed" &&
            [...items.values()].some((item) => !["created", "exists"].includes(item)),
        )
        .map(words),
  },
  {
    name: "journal is sound",
    promise: "the journal passes its integrity check",
    broken: ({ journalCheck }) => (journalCheck === "ok" ? [] : [journalCheck]),
  },
  {
    name: "no secrets",
    promise: "no key and no token is in the journal's files",
    broken: ({ secretsFound }) => secretsFound,
  },
];

/** Holds once every process has ended and the next one has looked. */
export const afterRecovery: readonly Invariant[] = [
  {
    name: "nothing left open",
    promise:
      "after recovery nothing is being sent, and nothing is owned by a process that has ended",
    broken: ({ entries, claims }) => [
      ...entries
        .filter(
          ({ state, owned, run }) =>
            owned || state === "sending" || (state === "intent" && run === null),
        )
        .map(words),
      ...(claims > 0 ? [`${claims} claims`] : []),
    ],
  },
];

export function isWrite(endpoint: string): boolean {
  return [
    "notes",
    "transactions",
    "statements",
    "payment-instructions",
    "supply-points-create",
  ].includes(endpoint);
}

function isDoubt(outcome: string, operation: string): boolean {
  if (["no-answer", "5xx", "3xx"].includes(outcome)) return true;
  return outcome === "500" && !operation.startsWith("payment");
}

function saysNotLanded(entry: EntryEvidence, position: number): boolean {
  if (entry.state === "rejected" && entry.doubt !== "none") return false;
  const item = entry.items.get(position);
  if (item === "rejected" || item === "not-reached") return true;
  if (entry.state === "rejected" || entry.state === "unsent") return true;
  return entry.state === "retryable" && entry.doubt === "none";
}
