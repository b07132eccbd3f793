/** A team's ledger in memory. It obeys the contract of the port without SQL, for tests of its users. */
import { randomUUID } from "node:crypto";
import type { ActivityOutcome } from "../../../src/writes/activity.ts";
import type { Closing } from "../../../src/writes/journal/entry.ts";
import {
  type BarReason,
  type Barred,
  type ClaimAnswer,
  type ClaimRequest,
  type CloseAnswer,
  claimGoodMs,
  type Ledger,
  type LedgerUser,
  type ListedEntry,
  type Outcome,
  type OutcomeItem,
  type Page,
  type TeamEntry,
  type TeamFilter,
  type TeamFinding,
} from "../../../src/writes/team/ledger.ts";
import type {
  Author,
  ClosingAct,
  ColleagueClosing,
  LedgerAct,
} from "../../../src/writes/team/ledger-views.ts";
import { doneOf, openWorkOf, runsOf, type SeenEntry } from "./memory-views.ts";
import { Folder, type LedgerEvent, Machine, type TeamWorld } from "./world.ts";

const leaseMs = 180_000;
const dayMs = 86_400_000;

interface StoredItem extends Omit<OutcomeItem, "position"> {
  isPassed: boolean;
  state: ActivityOutcome | null;
  isBlocked: boolean;
}

interface Stored {
  readonly id: number;
  readonly user: LedgerUser;
  login: string;
  facts: Omit<ClaimRequest, "items" | "override">;
  state: ActivityOutcome;
  tookEffect: Outcome["tookEffect"];
  httpStatus: number | null;
  code: string | null;
  at: number;
  leaseUntil: number;
  settledAt: number | null;
  isRemoved: boolean;
  changed: number;
  closing: Omit<ColleagueClosing, "localId"> | null;
  items: StoredItem[];
}

interface KnownFolder {
  machine: string;
  seq: number;
  lastAt: number;
  owes: boolean;
}

/** Opens a team whose ledger is in memory. */
export function memoryWorld(): TeamWorld {
  const ledger = new MemoryLedger();
  return {
    machine: async (name) => {
      const folder = new Folder(name);
      return new Machine(folder, ledger.as(name, folder));
    },
    ledgerFor: (machine, user) => ledger.as(machine, user),
    pass: async (ms) => {
      ledger.now += ms;
    },
    retain: async () => ledger.retain(),
    repair: async (reason, dismissed) => ledger.repair(reason, dismissed),
    restoreBefore: async (id) => ledger.restoreBefore(id),
    events: async () => ledger.events,
    left: async () => [...ledger.left],
  };
}

/** The requests of a service without a policy, which this ledger does not have. */
const noApprovals: Ledger["approvals"] = {
  ofRun: async () => ({ fourEyes: "none", request: null }),
  ...{ list: async () => [], find: async () => null, rows: async () => [] },
  changes: async () => ({ requests: [], isWhole: true, mark: "" }),
  ask: () => Promise.reject(new Error("This ledger has no requests.")),
  decide: async () => ({ kind: "not-found" }),
};

class MemoryLedger {
  now = Date.parse("2026-01-15T09:00:00Z");
  events: LedgerEvent[] = [];
  left = new Set<string>();
  #entries: Stored[] = [];
  #acts: (LedgerAct & { readonly entry: number })[] = [];
  #locks = new Map<string, Stored>();
  #folders = new Map<string, KnownFolder>();
  #epochs: string[] = [randomUUID()];
  #isRestored = false;
  #changes = 0;
  #nextId = 1;

  /** Returns the ledger as one state folder with a login uses it. */
  as(login: string, user: LedgerUser): Ledger {
    return {
      approvals: noApprovals,
      connect: () => {},
      claim: async (request) => {
        this.left.delete(user.machine);
        return this.#answered(user, () => this.#claim(login, user, request));
      },
      ask: async (questions) =>
        questions.map(({ localId, ...question }) => {
          const own = localId === null ? undefined : this.#find(user.journal, localId);
          return this.#findings(user, { ...question, override: null }, own);
        }),
      renew: async (claims) =>
        new Set(
          claims.flatMap(({ journal, localId, token, attempts }) => {
            const entry = this.#find(journal, localId);
            if (entry?.facts.token !== token || entry.state !== "sending") return [];
            if (![...this.#locks.values()].includes(entry)) return [];
            entry.leaseUntil = this.now + leaseMs;
            const { facts } = entry;
            entry.facts = { ...facts, attempts: Math.max(facts.attempts, attempts) };
            return [token];
          }),
        ),
      publish: async (outcomes) =>
        this.#answered(user, (folder) => {
          const isBehind = user.position().seq < folder.seq;
          const refused = outcomes.filter((one) => !this.#store(login, user, one, isBehind));
          folder.seq = Math.max(folder.seq, user.position().seq);
          const hasSeen = user.position().state?.epoch === this.#epochs.at(-1);
          if (user.position().isComplete && hasSeen) folder.owes = false;
          this.#endRepair();
          return refused.map(({ localId }) => localId);
        }),
      closeEntry: async (id, closing, act) =>
        this.#close(id, closing, act, {
          person: user.person,
          machine: user.machine,
          login,
        }),
      leave: async () => {
        this.#answered(user, () => {});
        this.events.push({ kind: "left", reason: null });
        this.left.add(user.machine);
      },
      rejoin: async () => {
        this.left.delete(user.machine);
      },
      acts: async (entry) => this.#acts.filter((act) => act.entry === entry),
      closings: async (localIds) =>
        localIds.flatMap((localId) => {
          const closing = this.#find(user.journal, localId)?.closing ?? null;
          return closing === null ? [] : [{ localId, ...closing }];
        }),
      runs: async (limit) => runsOf(this.#others(user.journal)).slice(0, limit),
      openWork: async () => ({
        people: openWorkOf(this.#others(user.journal)),
        fourEyes: "none",
      }),
      done: async (filter) => doneOf(this.#others(user.journal), filter),
      list: async (filter) => this.#list(filter),
      since: async (watermark) => this.#since(watermark),
      close: async () => {},
    };
  }

  #answered<T>(user: LedgerUser, work: (folder: KnownFolder) => T): T {
    const { state } = user.position();
    const folder = this.#folders.get(user.journal) ?? {
      machine: user.machine,
      seq: 0,
      lastAt: this.now,
      owes: false,
    };
    this.#folders.set(user.journal, folder);
    folder.lastAt = this.now;
    const isOwnEpoch = state?.epoch === this.#epochs.at(-1);
    const isNew = isOwnEpoch && state !== null && state.newest > this.#newest();
    const isStrange = state !== null && !this.#epochs.includes(state.epoch);
    if (!this.#isRestored && (isNew || isStrange))
      this.#beginRepair("a machine has seen later entries");
    const answer = work(folder);
    user.seen({ epoch: this.#epochs.at(-1) ?? "", newest: this.#newest() });
    return answer;
  }

  #newest(): number {
    return this.#entries.at(-1)?.id ?? 0;
  }

  #find(journal: string, localId: number): Stored | undefined {
    return this.#entries.find(
      ({ user, facts }) => user.journal === journal && facts.localId === localId,
    );
  }

  #claim(login: string, user: LedgerUser, request: ClaimRequest): ClaimAnswer {
    const folder = this.#folders.get(user.journal);
    if (folder !== undefined) folder.seq = Math.max(folder.seq, user.position().seq);
    const own = this.#find(user.journal, request.localId);
    if (own !== undefined) {
      const why = this.#knownBar(own, request);
      if (why !== null) return barred(why, [], this.#named(own));
      if (own.facts.token === request.token) return this.#claimed(own.id, []);
    }
    if (this.#isRestored && request.items.some(({ isRecognized }) => !isRecognized))
      return barred("restored");
    const findings = this.#findings(user, request, own);
    const worst = findings.find((one) => one.isHead && one.kind !== "reported");
    if (worst !== undefined && worst.kind !== "reported") return barred(worst.kind, findings);
    const lock = `${request.service} ${request.account}`;
    const holder = this.#locks.get(lock);
    if (holder !== undefined && holder !== own && holder.leaseUntil > this.now)
      return { kind: "busy", entry: this.#named(holder) };
    const { items, override, ...facts } = request;
    const entry: Stored = own ?? {
      id: this.#nextId++,
      user,
      login,
      facts,
      state: "sending",
      tookEffect: null,
      httpStatus: null,
      code: null,
      at: 0,
      leaseUntil: 0,
      settledAt: null,
      isRemoved: false,
      changed: 0,
      closing: null,
      items: [],
    };
    if (own === undefined) this.#entries.push(entry);
    const passedAt = new Set(findings.flatMap((one) => (one.isPassed ? [one.position] : [])));
    entry.items = items.map((item, at) => {
      const before = entry.items[at];
      return {
        ...item,
        isPassed: before?.isPassed === true || passedAt.has(at),
        isBlocked: before?.isBlocked ?? false,
        state: before?.state === "confirmed" ? "confirmed" : "sending",
      };
    });
    Object.assign(entry, { facts, login, state: "sending", settledAt: null });
    Object.assign(entry, { at: this.now, leaseUntil: this.now + leaseMs });
    entry.changed = ++this.#changes;
    this.#locks.set(lock, entry);
    if (passedAt.size > 0) {
      const act = { kind: "override", reason: override?.reason ?? null } as const;
      const { person, machine } = user;
      this.events.push(act);
      this.#acts.push({ entry: entry.id, ...act, person, machine, login, at: this.now });
    }
    return this.#claimed(entry.id, findings);
  }

  #claimed(id: number, findings: readonly TeamFinding[]): ClaimAnswer {
    return { kind: "claimed", askedAt: { wall: this.now, steady: this.now }, id, findings };
  }

  #knownBar(own: Stored, request: ClaimRequest): BarReason | null {
    const { facts, state } = own;
    if (facts.sha256 !== request.sha256 || facts.recordedAt !== request.recordedAt) return "copied";
    if (facts.token === request.token)
      return state === "sending" && own.at + claimGoodMs > this.now ? null : "given-up";
    const isSettled = state === "confirmed" || state === "closed" || state === "sending";
    return isSettled || facts.attempts > request.attempts ? "recorded" : null;
  }

  #findings(
    user: LedgerUser,
    { items, service, override }: Pick<ClaimRequest, "items" | "service" | "override">,
    own: Stored | undefined,
  ): readonly (TeamFinding & { readonly isHead: boolean })[] {
    const found = items.map(({ key, isRecognized }, position) =>
      this.#entries
        .filter((entry) => entry !== own && entry.facts.service === service)
        .flatMap((entry) => entry.items.map((item) => ({ entry, item })))
        .filter(({ item }) => item.key === key && (item.state !== null || item.isBlocked))
        .map(({ entry, item }) => {
          const isRefused = item.isBlocked && item.state !== "confirmed";
          const kind = isRefused ? "refused-before" : isRecognized ? "reported" : "sent-before";
          const isPassed = (override?.passes ?? []).some(
            (pass) =>
              pass.key === key &&
              pass.kind === kind &&
              (pass.entry.of === "ledger"
                ? pass.entry.id === entry.id
                : entry.user.journal === user.journal && pass.entry.id === entry.facts.localId),
          );
          const earlier = this.#named(entry);
          return { position, kind, state: item.state, earlier, isPassed } as const;
        }),
    );
    return found
      .flatMap((all) => {
        const ranked = all.toSorted(
          (one, other) =>
            Number(one.kind === "refused-before") - Number(other.kind === "refused-before") ||
            Number(one.state !== null) - Number(other.state !== null) ||
            Number(one.state === "confirmed") - Number(other.state === "confirmed") ||
            other.earlier.id - one.earlier.id,
        );
        const head = ranked.find(({ isPassed }) => !isPassed);
        return ranked.map((finding) => ({ ...finding, isHead: finding === head }));
      })
      .toSorted(
        (one, other) =>
          Number(other.isHead) - Number(one.isHead) ||
          severity(other) - severity(one) ||
          one.position - other.position,
      );
  }

  #store(login: string, user: LedgerUser, outcome: Outcome, isBehind: boolean): boolean {
    const { items, state, tookEffect, reason: _, doubt: __, httpStatus, code, ...facts } = outcome;
    let entry = this.#find(user.journal, outcome.localId);
    if (entry === undefined) {
      const [at, leaseUntil] = [this.now, this.now];
      const made = { id: this.#nextId++, user, login, facts, state, tookEffect, httpStatus, code };
      const rest = { settledAt: null, isRemoved: false, changed: 0, closing: null };
      entry = { ...made, ...rest, at, leaseUntil, items: [] };
      this.#entries.push(entry);
    } else if (!isTaken(entry, login, outcome, isBehind)) return false;
    entry.tookEffect = state === "closed" ? (tookEffect ?? entry.tookEffect ?? "unknown") : null;
    Object.assign(entry, { facts, state, httpStatus, code, settledAt: this.now });
    entry.changed = ++this.#changes;
    const of = entry;
    let isTwice = false;
    entry.items = items.map(({ position, ...item }) => {
      const before = of.items[position];
      const twin =
        item.state !== null &&
        !item.isRecognized &&
        before?.isPassed !== true &&
        this.#entries.some(
          (other) =>
            other !== of &&
            other.facts.service === facts.service &&
            other.items.some(
              (one) =>
                one.key === item.key && one.state !== null && !one.isRecognized && !one.isPassed,
            ),
        );
      isTwice ||= twin;
      const isConfirmed = before?.state === "confirmed";
      const isPassed = before?.isPassed === true || twin;
      return { ...item, isPassed, state: isConfirmed ? "confirmed" : item.state };
    });
    if (isTwice) this.events.push({ kind: "twice", reason: null });
    this.#unlock(entry);
    return true;
  }

  #unlock(entry: Stored): void {
    for (const [lock, holder] of this.#locks) if (holder === entry) this.#locks.delete(lock);
  }

  #close(
    id: number,
    { reason, tookEffect }: Closing,
    act: ClosingAct,
    author: Author,
  ): CloseAnswer {
    const entry = this.#entries.find((one) => one.id === id);
    if (entry === undefined) return { kind: "not-found" };
    const isStale = entry.state === "sending" && entry.leaseUntil < this.now;
    if (entry.state !== "unknown" && entry.state !== "retryable" && !isStale)
      return { kind: "not-open", entry: this.#named(entry) };
    const state = ({ yes: "confirmed", no: null, unknown: "closed" } as const)[tookEffect];
    for (const item of entry.items)
      if (item.state !== null && item.state !== "confirmed") item.state = state;
    Object.assign(entry, { state: "closed", tookEffect, settledAt: this.now });
    entry.changed = ++this.#changes;
    this.#unlock(entry);
    entry.closing = { tookEffect, act, author, reason };
    this.events.push({ kind: act, reason });
    this.#acts.push({ entry: id, kind: act, reason, ...author, at: this.now });
    return { kind: "closed" };
  }

  /** Returns the entries of other folders. */
  #others(folder: string): readonly SeenEntry[] {
    return this.#entries
      .filter(({ user }) => user.journal !== folder)
      .map((entry) => ({
        ...this.#listed(entry),
        runRequests: entry.facts.runRequests,
        items: entry.items,
      }));
  }

  #list(filter: TeamFilter): readonly ListedEntry[] {
    const isWanted = <T>(wanted: T | undefined, ...values: readonly (T | null)[]) =>
      wanted === undefined || values.includes(wanted);
    return this.#entries
      .map((entry) => this.#listed(entry))
      .filter((one) => {
        const state = one.state === "sending" && one.isLeaseOver ? "unknown" : one.state;
        return (
          isWanted(filter.id, one.id) &&
          (filter.below === undefined || one.id < filter.below) &&
          one.journal !== filter.exceptFolder &&
          (filter.isOfRun ?? one.run !== null) === (one.run !== null) &&
          (filter.outcomes === undefined || filter.outcomes.includes(state)) &&
          isWanted(filter.importSupplier, one.importSupplier) &&
          isWanted(filter.externalAccountNumber, one.externalAccountNumber) &&
          isWanted(filter.externalIdentifier, one.externalIdentifier) &&
          isWanted(filter.profile, one.profile) &&
          isWanted(filter.run, one.run) &&
          (filter.since === undefined || one.at >= filter.since) &&
          (filter.before === undefined || one.at < filter.before) &&
          isWanted(filter.person, one.person, one.login) &&
          isWanted(filter.machine, one.machine)
        );
      })
      .toSorted((one, other) => other.id - one.id)
      .slice(0, filter.limit);
  }

  #since(watermark: string | null): Page {
    const [epoch, change] = watermark?.split(" ") ?? [];
    const now = this.#epochs.at(-1) ?? "";
    const from = epoch === now ? Number(change) : 0;
    const entries = this.#entries
      .filter(({ changed }) => changed > from)
      .toSorted((one, other) => one.changed - other.changed);
    return {
      entries: entries.map((entry) => this.#listed(entry)),
      watermark: `${now} ${this.#changes}`,
      hasMore: false,
    };
  }

  #named({ id, user, login, facts, state, at, leaseUntil, isRemoved }: Stored): TeamEntry {
    const { journal, person, machine } = user;
    const { localId } = facts;
    const isLeaseOver = leaseUntil < this.now;
    return { id, journal, localId, person, machine, login, state, at, isLeaseOver, isRemoved };
  }

  #listed(entry: Stored): ListedEntry {
    const { facts, tookEffect, httpStatus, code, settledAt, isRemoved } = entry;
    const { service, profile, operation, run, line, attempts } = facts;
    const personal = isRemoved
      ? { importSupplier: null, externalAccountNumber: null, externalIdentifier: null }
      : facts;
    const { importSupplier, externalAccountNumber, externalIdentifier } = personal;
    const target = { importSupplier, externalAccountNumber, externalIdentifier };
    const result = { tookEffect, httpStatus, code, attempts, settledAt };
    return { ...this.#named(entry), service, profile, operation, ...target, run, line, ...result };
  }

  retain(): number {
    const settled: readonly ActivityOutcome[] = ["confirmed", "rejected", "closed", "unsent"];
    const due = this.#entries.filter(
      ({ at, state, isRemoved }) =>
        at < this.now - 730 * dayMs && !isRemoved && settled.includes(state),
    );
    const oldest = Math.min(...due.map(({ at }) => at));
    const removed = due.filter(({ at }) => at < oldest + dayMs);
    for (const entry of removed) {
      const isKept =
        entry.facts.movesMoney &&
        entry.items.some(({ state, isBlocked }) => state !== null || isBlocked);
      if (isKept) entry.isRemoved = true;
      else this.#entries = this.#entries.filter((one) => one !== entry);
    }
    return removed.length;
  }

  repair(reason: string, dismissed?: string): readonly string[] {
    if (dismissed === undefined) this.#beginRepair(reason);
    const owing = () => [...this.#folders.values()].filter(({ owes }) => owes);
    for (const folder of owing()) {
      if (folder.machine !== dismissed) continue;
      folder.owes = false;
      this.events.push({ kind: "dismissed", reason });
    }
    this.#endRepair();
    return [...new Set(owing().map(({ machine }) => machine))].toSorted();
  }

  #beginRepair(reason: string): void {
    this.#isRestored = true;
    this.#epochs.push(randomUUID());
    for (const folder of this.#folders.values())
      if (folder.lastAt > this.now - 90 * dayMs) folder.owes = true;
    this.events.push({ kind: "restored", reason });
  }

  #endRepair(): void {
    if (!this.#isRestored || [...this.#folders.values()].some(({ owes }) => owes)) return;
    this.#isRestored = false;
    this.events.push({ kind: "repaired", reason: null });
  }

  restoreBefore(id: number): void {
    this.#entries = this.#entries.filter((entry) => entry.id < id);
    for (const [lock, entry] of this.#locks) if (entry.id >= id) this.#locks.delete(lock);
    for (const [journal, folder] of this.#folders) {
      const own = this.#entries.filter(({ user }) => user.journal === journal);
      folder.seq = own.length;
    }
  }
}

function isTaken(entry: Stored, login: string, outcome: Outcome, isBehind: boolean): boolean {
  const { facts, state } = entry;
  const isLater = outcome.claimNumber > facts.claimNumber && state !== "sending" && !isBehind;
  if (!(facts.token === outcome.token || isLater) || entry.login !== login) return false;
  if (facts.sha256 !== outcome.sha256 || outcome.attempts < facts.attempts) return false;
  switch (state) {
    case "confirmed":
      return outcome.state === "confirmed";
    case "closed":
      return ["confirmed", "rejected", "closed"].includes(outcome.state);
    case "sending":
      return outcome.state !== "unsent" || outcome.attempts > facts.attempts || !isBehind;
    case "unknown":
      return outcome.state !== "unsent";
    default:
      return outcome.state !== "unknown" || outcome.attempts > facts.attempts;
  }
}

function severity({ kind, state }: Pick<TeamFinding, "kind" | "state">): number {
  const isDoubtful = state !== "confirmed" ? 1 : 0;
  switch (kind) {
    case "sent-before":
      return 4 + isDoubtful;
    case "refused-before":
      return 3;
    case "reported":
      return 1 + isDoubtful;
  }
}

function barred(
  why: BarReason,
  findings: readonly TeamFinding[] = [],
  entry: TeamEntry | null = null,
): Barred {
  return { kind: "barred", why, findings, entry };
}
