/**
 * The port to what a team's database stores beside the ledger: the history of the lists, and the cohorts.
 * It has a connection of its own, so that a snapshot of a million accounts does not delay a claim.
 */
import * as z from "zod/mini";
import type { TeamAccess, TeamNames } from "../../settings/team-access.ts";
import { type Answer, maybeText, maybeWhole } from "./answers.ts";

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

const observer = { machine: z.string(), person: z.string() };

/** Bytes, which the database answers in Base64. */
export const bytes: z.ZodMiniType<Uint8Array> = z.pipe(
  z.string(),
  z.transform((text: string) => new Uint8Array(Buffer.from(text, "base64"))),
) as unknown as z.ZodMiniType<Uint8Array>;

const position = z.object({
  /** Counts from 1. */
  number: z.int().check(z.positive()),
  token: z.string(),
});

/** The name of an observation. The token differs when a restored database has another one with the number. */
export type Position = Answer<typeof position>;

export const observedRow = z.object({
  ...position.shape,
  ...observer,
  /** The start of the load, in epoch milliseconds of the service. */
  at: z.int(),
  /** Number of changed accounts. */
  entries: z.int().check(z.nonnegative()),
  /** The figures, in the order of the local store. */
  facts: z.array(z.nullable(z.number())),
  /** The number of pending accounts by the time since when they are, of the newest observation only. */
  pendingSince: z.nullable(z.array(z.tuple([z.number(), z.int()]))),
  moves: z.nullable(bytes),
  contents: z.nullable(bytes),
  /** Earlier dates of accounts, from a history that joined the team. */
  dates: z.nullable(bytes),
  /** The time before which accounts that left are forgotten from here on, in epoch milliseconds, or null. */
  forgetBefore: maybeWhole,
});

/** An observation with the machine that made it. Bytes have the form of the local store. */
export type ObservedRow = Answer<typeof observedRow>;

/** The machine and the person of a list. Both are shown, and not trusted. */
export type Observer = Pick<ObservedRow, keyof typeof observer>;

/** An observation as the team's sequence has it. */
export type SharedRow = Omit<ObservedRow, keyof Observer>;

/** The observations after a position. */
export const sharedPage = z.object({
  /** The newest observation. */
  newest: position,
  firstAt: z.int(),
  observations: z.int(),
  /** Number of machines whose lists are in the history. */
  machines: z.int(),
  /**
   * The snapshot to begin with, which contains the observation with a number, or null if the rows
   * continue the position. The first row is then the one that the snapshot contains.
   */
  snapshot: z.nullable(z.object({ id: z.string(), parts: z.int(), number: z.int() })),
  /** Oldest first. If the last one is not the newest, the next call has more. */
  rows: z.array(observedRow),
  /** The token of the list that is held back, or null. Its row is null if the caller has it. */
  held: z.nullable(z.object({ token: z.string(), row: z.nullable(observedRow) })),
});

export type SharedPage = Answer<typeof sharedPage>;

/** The newest observation of a supplier, and the token of its list that is held back. */
export const newestOfSupplier = z.object({
  ...position.shape,
  supplier: z.string(),
  held: maybeText,
});

type Newest = Omit<Answer<typeof newestOfSupplier>, "supplier">;

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
  /** Returns observations below a number without contents, newest first, or none at the end. */
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

export const sharedCohort = z.object({
  name: z.string(),
  supplier: z.string(),
  sha256: z.string(),
  rows: z.int(),
  accounts: z.int(),
  column: maybeText,
  layout: z.string(),
  /** Epoch milliseconds. */
  createdAt: z.int(),
  ...observer,
});

/** The facts of a shared cohort. */
export type SharedCohort = Answer<typeof sharedCohort>;

/** The cohorts of a service. */
export interface SharedCohorts {
  /** Returns the cohorts, sorted by name. */
  list(): Promise<readonly SharedCohort[]>;
  /** Returns a cohort and its compressed list, or null if there is none with the name. */
  read(name: string): Promise<{ readonly cohort: SharedCohort; readonly bytes: Uint8Array } | null>;
  /** Shares a cohort. Returns false if the name has another list. */
  add(cohort: Omit<SharedCohort, keyof Observer>, bytes: Uint8Array): Promise<boolean>;
}
