import type { Change, ChangeKind } from "../../../src/triage/observations/observations.ts";
import type { Row } from "../../accounts/rows.ts";

type State = "pending" | "imported" | "gone" | "removed";

interface Account {
  state: State;
  readonly firstSeen: number;
  pendingSince: number;
  leftAt: number;
  isEverImported: boolean;
  service: string | null;
  /** The state of the last list. */
  said: string;
}

/**
 * A model of observations, in the plainest way: a map of accounts, over which lists are replayed
 * one after the other.
 */
export class Model {
  readonly accounts = new Map<string, Account>();
  readonly changes: Change[] = [];
  #lastAt = Number.NaN;
  #held: { rows: readonly Row[]; at: number } | null = null;

  /** Records a list of a load that began at `at`; says what has become of it. */
  record(rows: readonly Row[], at: number, isConfirmed = false): "recorded" | "held-back" | "late" {
    if (at < this.#lastAt) return "late";
    const byNumber = Map.groupBy(rows, ([number]) => number);
    const listed = [...this.accounts].filter(([, { state }]) => isListed(state));
    const lost = listed.filter(([number]) => !byNumber.has(number)).length;
    const isOdd =
      (rows.length === 0 && listed.length > 0) || (listed.length > 100 && lost > listed.length / 2);
    if (isOdd && !isConfirmed) {
      this.#held = { rows, at };
      return "held-back";
    }
    const isFirst = Number.isNaN(this.#lastAt);
    const found: Change[] = [];
    for (const [number, same] of byNumber) {
      const change = this.#seen(number, same, at);
      if (change !== null) found.push(change);
    }
    for (const [number, account] of listed) {
      if (byNumber.has(number)) continue;
      const to = account.isEverImported ? "removed" : "gone";
      found.push({ external: number, change: to, from: account.state, to, seenAt: at });
      account.state = to;
      account.leftAt = at;
    }
    if (!isFirst) this.changes.push(...found);
    this.#lastAt = at;
    this.#held = null;
    return "recorded";
  }

  confirm(): boolean {
    if (this.#held === null) return false;
    this.record(this.#held.rows, this.#held.at, true);
    return true;
  }

  #seen(external: string, same: readonly Row[], at: number): Change | null {
    const known = this.accounts.get(external);
    const isImported = same.some(([, service]) => service);
    const candidates = same.filter(([, service]) => Boolean(service) === isImported);
    const to = isImported ? "imported" : "pending";
    const chosen =
      candidates.find((row) => known?.state === to && saidBy(row) === known.said) ??
      candidates.find(([, service]) => service && service === known?.service) ??
      candidates[0];
    const service = chosen?.[1] || (known?.service ?? null);
    const from = known?.state ?? null;
    const before = known?.service ?? null;
    this.accounts.set(external, {
      state: to,
      firstSeen: known?.firstSeen ?? at,
      pendingSince:
        to === "imported" ? Number.NaN : from === "pending" ? (known?.pendingSince ?? at) : at,
      leftAt: Number.NaN,
      isEverImported: isImported || known?.isEverImported === true,
      service,
      said: chosen === undefined ? "" : saidBy(chosen),
    });
    if (from !== to) {
      return { external, change: kindOf(from, to), from, to, seenAt: at };
    }
    if (to === "pending" || before === null || before === service) return null;
    return { external, change: "renumbered", from: before, to: service, seenAt: at };
  }
}

function saidBy([, service, created]: Row): string {
  return JSON.stringify([service ?? null, created ?? null]);
}

function isListed(state: State): boolean {
  return state === "pending" || state === "imported";
}

function kindOf(from: State | null, to: State): ChangeKind {
  if (from === "removed" || (from === "gone" && to === "pending")) return "returned";
  return to === "pending" ? "staged" : "imported";
}
