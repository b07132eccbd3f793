/** The work during which something failed. */
export interface ErrorContext {
  /** For example `reading the status of EXT-1`. */
  readonly doing: string;
  /** The value of `--profile` that selects the same service, or undefined if none is needed. */
  readonly profile?: string | undefined;
  /** True if environment variables name the place: no profile leads to it. */
  readonly fromEnvironment?: boolean;
  readonly baseUrl?: string | undefined;
  /** A sentence about secrets in the environment that are not used here. */
  readonly unusedSecret?: string | undefined;
  /** Returns a field's name for people. Default: the `attr` of the service. */
  readonly field?: ((attr: string) => string) | undefined;
  readonly subject?:
    | {
        /** `supplier` for the lists. */
        readonly kind: "account" | "supply-point" | "supplier";
        readonly supplier: string;
        readonly id?: string | undefined;
      }
    | undefined;
}

/** One problem of an input, with its place. */
export interface InputIssue {
  /**
   * Dot-delimited path to the field, as the service writes it (INTERFACE 7.2), or null for the
   * whole.
   */
  readonly attr: string | null;
  readonly code: string | null;
  readonly detail: string;
  /** The name on the command line, or empty for options. */
  readonly file: string;
  /** The line from 1, or null if it has no place. */
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * A file that cannot be used:
 * - `full`: no room on the disk
 * - `read-only`: the folder or the file cannot be written
 * - `exposed`: others can read or write it
 * - `corrupt`: it is another file, or a damaged one
 * - `too-new`: a later version of this program made it
 * - `busy`: another process held it for too long
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

/** The kinds of errors, by what they are about. */
export interface ErrorKinds {
  journal: FileErrorKind;
  /** Kinds for another database of this program. */
  file: FileErrorKind;
  /**
   * A command line:
   * - `usage`: it, or a file that it names, cannot be used; nothing was sent
   * - `invalid-input`: an input is not what the interface documents; `issues` has every problem
   * - `no-profile`: no service is set up
   * - `sandbox`: the sandbox cannot be started with these options
   * - `not-found`: nothing is stored of it
   * - `output`: the results cannot be written, for example to a full disk
   */
  command: "usage" | "invalid-input" | "no-profile" | "sandbox" | "not-found" | "output";
  /** A call that failed with `cause`; its `context` decides the words. */
  call: "fault";
  /**
   * The settings and what is stored beside them:
   * - `corrupt`: a file is not JSON, or not of the shape written here; it is left untouched
   * - `exposed`: others can read a file or its folder, or it is a link, or another user owns it
   * - `unwritable`: a change could not be stored (disk full, read-only folder, no right to write)
   * - `unknown-profile`: no profile has the name
   * - `invalid`: a value given by the user cannot be used; the message names the field
   * - `helper`: the credential helper failed, or printed something else than was asked for
   * - `exists`: a profile has the name
   */
  settings:
    | "corrupt"
    | "exposed"
    | "unwritable"
    | "unknown-profile"
    | "invalid"
    | "helper"
    | "exists";
  /** A new file that the user names; nothing is overwritten. */
  output: "exists";
  /** A list or file of the user that cannot be used as a whole. */
  source: "usage";
  /**
   * A stored list of accounts:
   * - `name`: the name cannot be used
   * - `exists`: a cohort has the name
   * - `unknown`: none has it
   * - `supplier`: the cohort belongs to another supplier
   * - `changed`: its list is not the one that was added
   */
  cohort: "name" | "exists" | "unknown" | "supplier" | "changed";
  /**
   * A write that is not sent, or an action on the journal that is not done; nothing reached the service:
   * - `invalid`: the body is not what the operation takes
   * - `blocked`: the same form had a 400 before
   * - `duplicate`: an earlier entry has the same item, and took effect or might have
   * - `not-found`: the journal has no such entry
   * - `not-possible`: the state of the entry does not allow it
   * - `in-use`: another process is sending it
   * - `purged`: its body is no longer stored
   * - `damaged`: its record in the journal cannot be understood
   */
  write:
    | "invalid"
    | "blocked"
    | "duplicate"
    | "not-found"
    | "not-possible"
    | "in-use"
    | "purged"
    | "damaged";
  /**
   * A run of many rows:
   * - `not-found`: the journal has no such run
   * - `in-use`: a process is sending it
   * - `input-changed`: the input is not the one that was checked; nothing was sent
   * - `not-recorded`: some of its rows are not recorded yet, so nothing may be sent
   * - `recorded`: all its rows are recorded, so it cannot be discarded
   * - `wrong-service`: it is for another base URL
   */
  run: "not-found" | "in-use" | "input-changed" | "not-recorded" | "recorded" | "wrong-service";
}

export type ErrorSubject = keyof ErrorKinds;
export type AppErrorKind = ErrorKinds[ErrorSubject];

/** The known parts of an error besides its kind; absent parts are not known. */
export interface ErrorFacts {
  /** The next step as a sentence. Absent if the message has it. */
  readonly remedy?: string | null;
  /** The exact command or action that fixes it, which is never reworded. */
  readonly fix?: string | null;
  readonly path?: string;
  /** The number of the journal entry. */
  readonly journalId?: number | null;
  readonly issues?: readonly InputIssue[];
  /** The number of issues besides those listed. */
  readonly moreIssues?: number;
  readonly context?: ErrorContext;
  /** The columns of a list, if the wanted one is not among them. */
  readonly columns?: readonly string[];
  readonly cause?: unknown;
}

/**
 * An error of this program, not of the service (`ServiceError`). `message` is for people and has no
 * secret. `errorWords` makes sentences of it. A journal error has the subject `journal`.
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

/** Narrows an unknown thrown value. */
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

/** The remedy for something that this machine has not stored, and that a report of another one names. */
export const otherFolder =
  "What a report names is in the state folder that it names: SUPPLYLINE_STATE_DIR chooses one";
