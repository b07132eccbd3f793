/** A team of several machines and its ledger, in memory or in a database, for the tests of the contract. */
import { createHash, randomUUID } from "node:crypto";
import type {
  ClaimRequest,
  Ledger,
  LedgerPosition,
  LedgerState,
  LedgerUser,
  Outcome,
  OutcomeState,
} from "../../../src/writes/team/ledger.ts";

/** An act that the ledger keeps. */
export interface LedgerEvent {
  readonly kind: string;
  readonly reason: string | null;
}

export interface TeamWorld {
  /** Adds a machine with a login of its own. */
  machine(name: string): Promise<Machine>;
  /** Opens the ledger for a state folder with the login of a machine. */
  ledgerFor(machine: string, user: LedgerUser): Ledger;
  /** Moves the clock of the ledger on, in milliseconds. */
  pass(ms: number): Promise<void>;
  retain(): Promise<number>;
  repair(reason: string, dismissed?: string): Promise<readonly string[]>;
  /** Replaces the ledger by a copy that ends before the entry with this ID, as a restore does. */
  restoreBefore(id: number): Promise<void>;
  events(): Promise<readonly LedgerEvent[]>;
  /** Returns the names of the machines that have left. */
  left(): Promise<readonly string[]>;
}

/** A state folder of a machine. */
export class Folder implements LedgerUser {
  readonly journal: string;
  readonly person: string;
  seq = 0;
  state: LedgerState | null = null;
  isComplete = false;

  readonly machine: string;

  constructor(machine: string, journal: string = randomUUID()) {
    this.machine = machine;
    this.journal = journal;
    this.person = `person of ${machine}`;
  }

  position(): LedgerPosition {
    const { seq, state, isComplete } = this;
    return { seq, state, isComplete };
  }

  seen(state: LedgerState): void {
    this.state = state;
  }
}

const never = new AbortController().signal;

/** A machine that claims and publishes. */
export class Machine {
  readonly folder: Folder;
  readonly ledger: Ledger;
  nextId = 1;

  constructor(folder: Folder, ledger: Ledger) {
    this.folder = folder;
    this.ledger = ledger;
  }

  /** Returns a request for a new entry, or for an entry that this machine has. */
  request(items: readonly Item[], given: Partial<ClaimRequest> = {}): ClaimRequest {
    const localId = given.localId ?? this.nextId++;
    this.folder.seq += 1;
    return {
      localId,
      token: randomUUID(),
      claimNumber: this.folder.seq,
      service: "https://service.example",
      account: "account 1",
      profile: "live",
      operation: "payment-instructions create",
      movesMoney: true,
      importSupplier: "ACME",
      externalAccountNumber: "EXT-1",
      externalIdentifier: null,
      run: null,
      runRequests: null,
      line: null,
      sha256: sha256(JSON.stringify(items)),
      content: sha256(JSON.stringify(items)),
      recordedAt: 1_700_000_000_000 + localId,
      attempts: 0,
      items: items.map(({ key, isRecognized = false }) => ({ key, name: null, isRecognized })),
      override: null,
      ...given,
    };
  }

  claim(request: ClaimRequest) {
    return this.ledger.claim(request, never);
  }

  /** Publishes the outcome of a claim. `states` has the state of each item. Default: the entry's. */
  publish(
    request: ClaimRequest,
    state: OutcomeState,
    states: readonly (Outcome["items"][number]["state"] | "blocked")[] = request.items.map(() =>
      state === "unsent" || state === "rejected" ? null : state,
    ),
    given: Partial<Outcome> = {},
  ) {
    return this.ledger.publish([outcomeOf(request, state, states, given)]);
  }
}

/** An item of a request in a test. */
export interface Item {
  readonly key: string;
  readonly isRecognized?: boolean;
}

/** Returns the outcome of a claim after one attempt, or none if it is unsent. */
export function outcomeOf(
  { items, override: _, ...entry }: ClaimRequest,
  state: OutcomeState,
  states: readonly (Outcome["items"][number]["state"] | "blocked")[],
  given: Partial<Outcome> = {},
): Outcome {
  return {
    ...entry,
    attempts: entry.attempts + (state === "unsent" ? 0 : 1),
    state,
    tookEffect: null,
    reason: "answered",
    doubt: state === "unknown" ? "unknown" : "none",
    httpStatus: null,
    code: null,
    items: items.map((item, position) => {
      const of = states[position] ?? null;
      const isBlocked = of === "blocked";
      return { ...item, position, state: of === "blocked" ? null : of, isBlocked };
    }),
    ...given,
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
