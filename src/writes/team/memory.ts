/**
 * The port to what a team's database stores beside the ledger: the history of the lists, and the cohorts.
 * It has a connection of its own, so that a snapshot of a million accounts does not delay a claim.
 */
import type { TeamAccess, TeamNames } from "../../settings/team-access.ts";

/** The memory of a team for one service. Every call rejects with a team error. */
export interface TeamMemory {
  readonly lists: SharedLists;
  readonly cohorts: SharedCohorts;
  /** Ends the connection. Calls that wait for an answer reject. */
  close(): Promise<void>;
}

/** Opens the memory of a team with an access. Nothing is connected before the first call. */
export type OpenMemory = (
  access: TeamAccess,
  options: { readonly service: string; readonly names: TeamNames },
) => TeamMemory | Promise<TeamMemory>;

/** The way to the memory of a profile's team. */
export interface MemoryDriver {
  /** The host, the database and the schema of the ledger. */
  readonly address: string;
  readonly names: TeamNames;
  /** Loads the driver, and opens the memory. */
  open(): Promise<TeamMemory>;
}

/** The name of an observation. The token differs when a restored database has another one with the number. */
export interface Position {
  /** Counts from 1. */
  readonly number: number;
  readonly token: string;
}

/** The machine and the person of a list. Both are shown, and not trusted. */
export interface Observer {
  readonly machine: string;
  readonly person: string;
}

/** An observation as the team's sequence has it. Bytes have the form of the local store. */
export interface SharedRow extends Position {
  /** The start of the load, in epoch milliseconds of the service. */
  readonly at: number;
  /** Number of changed accounts. */
  readonly entries: number;
  /** The figures, in the order of the local store. */
  readonly facts: readonly (number | null)[];
  /** The number of pending accounts by the time since when they are, of the newest observation only. */
  readonly pendingSince: readonly (readonly [since: number, count: number])[] | null;
  readonly moves: Uint8Array | null;
  readonly contents: Uint8Array | null;
  /** Earlier dates of accounts, from a history that joined the team. */
  readonly dates: Uint8Array | null;
  /** The time before which accounts that left are forgotten from here on, in epoch milliseconds, or null. */
  readonly forgetBefore: number | null;
}

/** An observation with the machine that made it. */
export interface ObservedRow extends SharedRow, Observer {}

/** A snapshot in parts, which contains the observation with a number. */
interface SnapshotName {
  readonly id: string;
  readonly parts: number;
  readonly number: number;
}

/** The observations after a position. */
export interface SharedPage {
  /** The newest observation. */
  readonly newest: Position;
  readonly firstAt: number;
  readonly observations: number;
  /** Number of machines whose lists are in the history. */
  readonly machines: number;
  /**
   * The snapshot to begin with, or null if the rows continue the position. The first row is then the one
   * that the snapshot contains.
   */
  readonly snapshot: SnapshotName | null;
  /** Oldest first. If the last one is not the newest, the next call has more. */
  readonly rows: readonly ObservedRow[];
  /** The token of the list that is held back, or null. Its row is null if the caller has it. */
  readonly held: { readonly token: string; readonly row: ObservedRow | null } | null;
}

/** The newest observation of a supplier, and the token of its list that is held back. */
interface Newest extends Position {
  readonly held: string | null;
}

/** The facts that the first observations of a list come with. */
export interface Beginning {
  readonly snapshot: string;
  readonly parts: number;
  readonly observations: number;
}

/** The sequences of observations of a service's suppliers. */
export interface SharedLists {
  /** Returns the newest observation of each supplier that has one. */
  newest(suppliers: readonly string[]): Promise<ReadonlyMap<string, Newest>>;
  /** Returns the observations after a position, or null if the team has none of the supplier. */
  since(
    supplier: string,
    position: Position | null,
    held: string | null,
  ): Promise<SharedPage | null>;
  /**
   * Returns observations below a number without their contents, newest first, or none if there are no
   * more.
   */
  earlier(supplier: string, below: number): Promise<readonly ObservedRow[]>;
  /** Returns a part of a snapshot, or null if another snapshot has replaced it. */
  part(snapshot: string, part: number): Promise<Uint8Array | null>;
  /** Stores a part of a snapshot that is not in use. */
  putPart(supplier: string, snapshot: string, part: number, bytes: Uint8Array): Promise<void>;
  /**
   * Appends rows after the expected observation, null before the first. Returns the number of machines of
   * the history, or null if another machine was faster.
   */
  append(
    supplier: string,
    expected: Position | null,
    rows: readonly SharedRow[],
    more: { readonly firstAt: number; readonly beginning?: Beginning },
  ): Promise<number | null>;
  /** Stores the list that is held back. Returns false if another machine was faster. */
  holdBack(supplier: string, expected: Position, row: SharedRow): Promise<boolean>;
  /** Appends the list that is held back. Returns false if it is not the one with this token. */
  confirm(supplier: string, held: string): Promise<boolean>;
  /** Returns true if this machine is to publish a snapshot that contains an observation. */
  beginFold(supplier: string, number: number, accounts: number): Promise<boolean>;
  /** Makes a published snapshot the one from which machines begin. */
  endFold(supplier: string, at: Position, snapshot: string, parts: number): Promise<void>;
}

/** The facts of a shared cohort. */
export interface SharedCohort extends Observer {
  readonly name: string;
  readonly supplier: string;
  readonly sha256: string;
  readonly rows: number;
  readonly accounts: number;
  readonly column: string | null;
  readonly layout: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The cohorts of a service. */
export interface SharedCohorts {
  /** Returns the cohorts, sorted by name. */
  list(): Promise<readonly SharedCohort[]>;
  /** Returns a cohort and its compressed list, or null if there is none with the name. */
  read(name: string): Promise<{ readonly cohort: SharedCohort; readonly bytes: Uint8Array } | null>;
  /** Shares a cohort. Returns false if the name has another list. */
  add(cohort: Omit<SharedCohort, keyof Observer>, bytes: Uint8Array): Promise<boolean>;
}
