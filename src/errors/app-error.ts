/** Defines the errors of this program, their kinds and their facts. */

export interface ErrorContext {
  /** The action, for example `reading the status of EXT-1`. */
  readonly doing: string;
  /** The value of `--profile` that selects the same service, or undefined if none is needed. */
  readonly profile?: string | undefined;
  /** True if environment variables select the service, so that no profile does. Default: false. */
  readonly fromEnvironment?: boolean;
  readonly baseUrl?: string | undefined;
  /**
   * A sentence about secrets in the environment that are not used, or undefined if there are none.
   */
  readonly unusedSecret?: string | undefined;
  /** False if a write cannot be verified, or is closed already. Default: true. */
  readonly isVerifiable?: boolean | undefined;
  /** Returns the name of a field for users. Default: the `attr` of the service. */
  readonly field?: ((attr: string) => string) | undefined;
  readonly subject?:
    | {
        /** The kind of the subject. `supplier` is for account lists. */
        readonly kind: "account" | "supply-point" | "supplier";
        readonly supplier: string;
        readonly id?: string | undefined;
      }
    | undefined;
}

export function listingContext(supplier: string) {
  return {
    doing: `listing the accounts of ${supplier}`,
    subject: { kind: "supplier", supplier },
  } as const;
}

export function lookupContext(supplier: string, wanted: string) {
  return {
    doing: `reading the status of ${wanted} at ${supplier}`,
    subject: { kind: "account", supplier, id: wanted },
  } as const;
}

export interface InputIssue {
  /**
   * Dot-delimited path to the field, as the service writes it (INTERFACE 7.2), or null for the
   * whole input.
   */
  readonly attr: string | null;
  readonly code: string | null;
  readonly detail: string;
  /** The name of the file on the command line, or empty for options. */
  readonly file: string;
  /** The line from 1, or null if it is unknown. */
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * A file that cannot be used:
 * - `full`: no room on the disk
 * - `read-only`: the folder or the file cannot be written
 * - `exposed`: other users can read or write the file
 * - `corrupt`: the file is damaged, or is not the expected file
 * - `too-new`: a later version of this program created the file
 * - `busy`: another process locked the file for too long
 * - `failing`: the disk reports an error
 */
export type FileErrorKind =
  | "full"
  | "read-only"
  | "exposed"
  | "corrupt"
  | "too-new"
  | "busy"
  | "failing";

export interface ErrorKinds {
  journal: FileErrorKind;
  /** The kinds for another database of this program. */
  file: FileErrorKind;
  /**
   * A command line:
   * - `usage`: the command line, or a file in it, cannot be used; nothing was sent
   * - `invalid-input`: an input does not match the interface; `issues` has every problem
   * - `no-profile`: no service is set up
   * - `sandbox`: the sandbox cannot be started with these options
   * - `not-found`: the requested item is not stored
   * - `output`: the results cannot be written, for example to a full disk
   */
  command: "usage" | "invalid-input" | "no-profile" | "sandbox" | "not-found" | "output";
  /** A call that failed with `cause`. Its `context` is part of the message. */
  call: "fault";
  /**
   * The settings and the files in the same folder:
   * - `corrupt`: a file is not JSON or has an unknown shape; the file is not changed
   * - `exposed`: other users can read a file or its folder, or one of them is a link or has another
   *   owner
   * - `unwritable`: a change could not be stored (disk full, read-only folder, no right to write)
   * - `unknown-profile`: no profile has this name
   * - `invalid`: a value given by the user cannot be used; the message names the field
   * - `helper`: the credential helper failed, or its output is invalid
   * - `exists`: a profile already has this name
   */
  settings:
    | "corrupt"
    | "exposed"
    | "unwritable"
    | "unknown-profile"
    | "invalid"
    | "helper"
    | "exists";
  /** A new file that the user names. Existing files are never overwritten. */
  output: "exists";
  /** A list or file from the user that cannot be used as a whole. */
  source: "usage";
  /**
   * A stored list of accounts:
   * - `name`: the name cannot be used
   * - `exists`: a cohort already has this name
   * - `unknown`: no cohort has this name
   * - `supplier`: the cohort belongs to another supplier
   * - `changed`: the stored list differs from the added list
   */
  cohort: "name" | "exists" | "unknown" | "supplier" | "changed";
  /**
   * A write that is not sent, or an action on the journal that is not done. Nothing reached the
   * service:
   * - `invalid`: the body is not valid for the operation
   * - `blocked`: the service rejected the same form before with a 400
   * - `duplicate`: an earlier entry with the same item took effect or might have
   * - `not-found`: the journal has no such entry
   * - `not-possible`: the action is not possible in the state of the entry
   * - `in-use`: another process is sending the entry
   * - `purged`: the body of the entry is no longer stored
   * - `damaged`: the record in the journal is unreadable
   * - `older-journal`: the journal was restored or copied, so that it lacks what was sent later
   */
  write:
    | "invalid"
    | "blocked"
    | "duplicate"
    | "not-found"
    | "not-possible"
    | "in-use"
    | "purged"
    | "damaged"
    | "older-journal";
  /**
   * A run of many rows:
   * - `not-found`: the journal has no such run
   * - `in-use`: a process is running the run
   * - `input-changed`: the input has changed since it was checked; nothing was sent
   * - `not-recorded`: some of its rows are not recorded yet, so nothing is sent
   * - `recorded`: all rows of the run are recorded, so the run cannot be discarded
   * - `wrong-service`: the run is for another base URL
   */
  run: "not-found" | "in-use" | "input-changed" | "not-recorded" | "recorded" | "wrong-service";
  /**
   * The team's ledger:
   * - `team-unavailable`: the database does not answer, so nothing is sent
   * - `team-credentials`: the database refused the login, or there is no password
   * - `team-version`: another version of the ledger or of its item keys
   * - `team-not-set-up`: no team, no ledger, or a login without the rights of a member
   */
  team:
    | "team-unavailable"
    | "team-credentials"
    | "team-version"
    | "team-not-set-up"
    | "not-approved";
}

export type ErrorSubject = keyof ErrorKinds;
export type AppErrorKind = ErrorKinds[ErrorSubject];

/** The facts about an error, apart from its kind. An absent fact is unknown. */
export interface ErrorFacts {
  /** The next step as a sentence, or null if there is none. Absent if the message has it. */
  readonly remedy?: string | null;
  /** The exact command or action that fixes the error. Messages show it unchanged. */
  readonly fix?: string | null;
  readonly path?: string;
  readonly journalId?: number | null;
  readonly issues?: readonly InputIssue[];
  readonly moreIssues?: number;
  readonly context?: ErrorContext;
  /** The valid columns of a list, if the requested column is not one of them. */
  readonly columns?: readonly string[];
  readonly samples?: readonly string[];
  readonly cause?: unknown;
}

/**
 * An error of this program. An error of the service is a `ServiceError`. `message` is for users and
 * has no secret, and `errorWords` formats it. A journal error is an AppError about `journal`.
 */
export class AppError<S extends ErrorSubject = ErrorSubject> extends Error {
  readonly about: S;
  readonly kind: ErrorKinds[S];
  readonly facts: ErrorFacts;

  constructor(about: S, kind: ErrorKinds[S], message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.name = "AppError";
    this.about = about;
    this.kind = kind;
    this.facts = facts;
  }
}

export function isAppError<S extends ErrorSubject = ErrorSubject>(
  value: unknown,
  about?: S,
  kind?: ErrorKinds[S],
): value is AppError<S> {
  return (
    value instanceof AppError &&
    (about === undefined || value.about === about) &&
    (kind === undefined || value.kind === kind)
  );
}

/**
 * The remedy for an item that is not in the state folder: a report can name an item of another
 * state folder.
 */
export const otherStateFolderRemedy =
  "A report names the state folder of its items: set SUPPLYLINE_STATE_DIR to that folder";
