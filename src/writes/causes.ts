/** Failures grouped by cause: similar errors, regardless of the rows. */
import { createHash } from "node:crypto";
import type { ActivityOutcome } from "./activity.ts";
import { commonWords } from "./cause-text.ts";

/** The outcomes that are failures. */
export const failedOutcomes = [
  "rejected",
  "retryable",
  "unknown",
] as const satisfies readonly ActivityOutcome[];

/** One failure, of a row or an entry. Every text is untrusted. */
export interface Failure {
  /** For example `notes create`. */
  readonly operation: string;
  readonly outcome: ActivityOutcome;
  readonly httpStatus: number | null;
  /** The code of the answer, as entries and results show it. */
  readonly code: string | null;
  /**
   * The error codes in the response that are about this row (INTERFACE 7). A supply point also has
   * its latest error, as `domain/code` (INTERFACE 2).
   */
  readonly errorCodes: readonly string[];
  /** The words of the service or of supplyline. */
  readonly message: string | null;
  /**
   * The texts and numbers of the row itself, which its message might repeat. Read only if needed.
   */
  readonly ownValues: () => readonly string[];
  /** The line of the row, or the ID of the journal entry. */
  readonly sample: number;
}

/** Failures with one cause. */
export interface Cause {
  /**
   * The key, which is the same in every run. It has no space and no character that a shell
   * interprets.
   */
  readonly key: string;
  readonly operation: string;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly errorCodes: readonly string[];
  readonly count: number;
  /**
   * Failures that can be sent again unchanged. `inDoubt` is the number of those that might have
   * taken effect.
   */
  readonly retryable: number;
  readonly inDoubt: number;
  /** The message of the first failure. */
  readonly message: string | null;
  /** The first samples, at most the requested number. Default: five. */
  readonly sample: readonly number[];
}

/** Formats a cause for scripts, numbered from 1. */
export function causeJson(cause: Cause, at: number) {
  return {
    cause: at + 1,
    key: cause.key,
    operation: cause.operation,
    http_status: cause.httpStatus,
    code: cause.code,
    error_codes: cause.errorCodes,
    count: cause.count,
    message: cause.message,
    sample: cause.sample,
  };
}

const fewSamples = 5;

/**
 * Counts the causes of failures that arrive a few at a time. Causes are sorted largest first, and
 * equal ones in the order of their first failure. Each cause has `most` samples.
 */
export function causeCounter(most: number = fewSamples) {
  const found = new Map<string, Counted>();
  return {
    add(failure: Failure): void {
      const common = commonPart(failure);
      // Hashes of ten thousand rows would take longer than everything else.
      const id = JSON.stringify([common.start, common.codes, common.words]);
      const known = found.get(id) ?? {
        key: keyOf(common),
        first: failure,
        count: 0,
        retryable: 0,
        inDoubt: 0,
        sample: [],
      };
      found.set(id, known);
      known.count += 1;
      if (failure.outcome === "retryable") known.retryable += 1;
      if (failure.outcome === "unknown") known.inDoubt += 1;
      if (known.sample.length < most) known.sample.push(failure.sample);
    },
    causes: (): Cause[] =>
      [...found.values()]
        .map(({ first, ...counted }) => ({
          operation: first.operation,
          httpStatus: first.httpStatus,
          code: first.code,
          errorCodes: distinct(first.errorCodes),
          message: first.message,
          ...counted,
        }))
        // Sorting is stable, and the map has them in the order of their first failure.
        .sort((one, other) => other.count - one.count),
  };
}

interface Counted extends Pick<Cause, "key" | "count" | "retryable" | "inDoubt"> {
  readonly first: Failure;
  count: number;
  retryable: number;
  inDoubt: number;
  readonly sample: number[];
}

/**
 * The code of a refused transaction (INTERFACE 4.2): it reports that there is an error, not which.
 */
const codesOfAnyError = new Set(["TRANSACTION_IMPORT_ERROR"]);

/**
 * The common part of failures with one cause: operation, status, and the codes of the service,
 * which are stable (INTERFACE 7). If there is no code, it has the message without the parts that
 * differ from row to row.
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

/** Returns the key of a failure's cause. */
export function causeKey(failure: Failure): string {
  return keyOf(commonPart(failure));
}

function distinct(codes: readonly string[]): readonly string[] {
  return codes.length < 2 ? codes : [...new Set(codes)].sort();
}

/** Maximum length of a plain key: enough for known codes, and short enough to type. */
const longestPlain = 80;

function plainOrHash(codes: readonly string[]): string {
  const joined = codes.join("+");
  const isPlain = joined.length <= longestPlain && codes.every((code) => /^[\w./-]+$/.test(code));
  // A code that looks like a hash could be mistaken for one.
  return isPlain && !joined.startsWith(hashed) ? joined : hash(codes);
}

function plain(text: string): string {
  return /^[\w-]+$/.test(text) ? text : hash([text]);
}

const hashed = "text-";

function hash(parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `${hashed}${digest.slice(0, 12)}`;
}
