/** Groups failures by cause, for runs and the journal: one cause has similar errors of any row. */
import { createHash } from "node:crypto";
import { fieldsOf } from "../text/fields.ts";
import { sharedFields } from "../text/shared-fields.ts";
import type { ActivityOutcome } from "./activity.ts";
import { commonWords } from "./cause-text.ts";

export const failedOutcomes = [
  "rejected",
  "retryable",
  "unknown",
] as const satisfies readonly ActivityOutcome[];

/** One failure, of a row or an entry. Every text is untrusted. */
export interface Failure {
  readonly operation: string;
  readonly outcome: ActivityOutcome;
  readonly httpStatus: number | null;
  readonly code: string | null;
  /**
   * The error codes in the response that are about this row (INTERFACE 7). For a supply point, the
   * code of its latest error follows, as `domain/code` (INTERFACE 2).
   */
  readonly errorCodes: readonly string[];
  readonly message: string | null;
  /** Returns the row's texts and numbers, which the message might repeat. Called if needed. */
  readonly ownValues: () => readonly string[];
  /** The line of the row, or the ID of the journal entry. */
  readonly sample: number;
}

export interface Cause {
  /** The cause's key, the same in every run, without spaces and characters of a shell. */
  readonly key: string;
  readonly operation: string;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly errorCodes: readonly string[];
  readonly count: number;
  readonly retryable: number;
  readonly inDoubt: number;
  readonly message: string | null;
  /** The samples of the first failures, at most the requested number. Default: 5. */
  readonly sample: readonly number[];
}

/** A cause with its number in a list, from 1. */
export type NumberedCause = Cause & { readonly number: number };

const field = fieldsOf<NumberedCause>();

export const causeFields = {
  number: field(
    "cause",
    "number",
    "The number of the cause, from 1. More failures can change the number.",
    (of) => of.number,
  ),
  operation: field(...sharedFields.operation, (of) => of.operation),
  httpStatus: field(...sharedFields.httpStatus, (of) => of.httpStatus),
  code: field(...sharedFields.code, ({ code }) => code),
  errorCodes: field(
    "error_codes",
    "array",
    "The codes of the errors within the response, sorted.",
    (of) => of.errorCodes,
  ),
  count: field("count", "number", "Failures with this cause.", (of) => of.count),
  message: field(
    "message",
    "text or null",
    "The message of the first failure.",
    (of) => of.message,
  ),
  sample: field(
    "sample",
    "array",
    "Up to five of the failures: lines of the run, or journal entries.",
    ({ sample }) => sample,
    ({ sample }) => sample.join(" "),
  ),
  key: field("key", "text", "The permanent name of the cause, for `--cause`.", (of) => of.key),
};

export function numbered<C extends Cause>(causes: readonly C[]): readonly (C & NumberedCause)[] {
  return causes.map((cause, at) => ({ ...cause, number: at + 1 }));
}

export function causeCodes({ code, errorCodes }: Cause): string {
  return errorCodes.length > 0 ? errorCodes.join(", ") : (code ?? "");
}

/**
 * Counts failures by cause. Causes are sorted by count, and then by their first failure. Each cause
 * has at most `maxSamples` samples.
 */
export function causeCounter(maxSamples = 5) {
  const counted = new Map<string, CountedCause>();
  return {
    add(failure: Failure): void {
      const common = commonPart(failure);
      // A hash of each row would slow down large runs.
      const id = JSON.stringify([common.start, common.codes, common.words]);
      const cause = counted.get(id) ?? {
        key: keyOf(common),
        first: failure,
        count: 0,
        retryable: 0,
        inDoubt: 0,
        sample: [],
      };
      counted.set(id, cause);
      cause.count += 1;
      if (failure.outcome === "retryable") cause.retryable += 1;
      if (failure.outcome === "unknown") cause.inDoubt += 1;
      if (cause.sample.length < maxSamples) cause.sample.push(failure.sample);
    },
    causes: (): Cause[] =>
      [...counted.values()]
        .map(({ first, ...numbers }) => ({
          operation: first.operation,
          httpStatus: first.httpStatus,
          code: first.code,
          errorCodes: distinct(first.errorCodes),
          message: first.message,
          ...numbers,
        }))
        // Sorting is stable, and the map is in the order of the first failures.
        .sort((one, other) => other.count - one.count),
  };
}

interface CountedCause extends Pick<Cause, "key" | "count" | "retryable" | "inDoubt"> {
  readonly first: Failure;
  count: number;
  retryable: number;
  inDoubt: number;
  readonly sample: number[];
}

/** The code of every rejected transaction (INTERFACE 4.2). It does not identify the error. */
const codesOfAnyError = new Set(["TRANSACTION_IMPORT_ERROR"]);

/**
 * The common part of failures with one cause: the operation, the status and the stable codes of the
 * service (INTERFACE 7). Without a code, `words` has the message without the parts that differ
 * between rows.
 */
interface CommonPart {
  readonly start: string;
  readonly codes: readonly string[];
  readonly words: string;
}

function commonPart(failure: Failure): CommonPart {
  const { operation, httpStatus, code } = failure;
  const codes = [
    ...(code === null || codesOfAnyError.has(code) ? [] : [code]),
    ...distinct(failure.errorCodes),
  ];
  return {
    start: `${plain(operation.replaceAll(" ", "-"))}:${httpStatus ?? "none"}`,
    codes,
    words: codes.length > 0 ? "" : commonWords(failure.message ?? "", failure.ownValues()),
  };
}

function keyOf({ start, codes, words }: CommonPart): string {
  return `${start}:${codes.length > 0 ? plainOrHash(codes) : hash([words])}`;
}

export function causeKey(failure: Failure): string {
  return keyOf(commonPart(failure));
}

function distinct(codes: readonly string[]): readonly string[] {
  return codes.length < 2 ? codes : [...new Set(codes)].sort();
}

/** Maximum length of a key without a hash, so that users can type it. */
const maxPlainLength = 80;

function plainOrHash(codes: readonly string[]): string {
  const joined = codes.join("+");
  const isPlain = joined.length <= maxPlainLength && codes.every((code) => /^[\w./-]+$/.test(code));
  // A code with the prefix of a hash could be mistaken for a hash.
  return isPlain && !joined.startsWith(hashPrefix) ? joined : hash(codes);
}

function plain(text: string): string {
  return /^[\w-]+$/.test(text) ? text : hash([text]);
}

const hashPrefix = "text-";

function hash(parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `${hashPrefix}${digest.slice(0, 12)}`;
}
