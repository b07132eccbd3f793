/** Rows that only read the status of an account (INTERFACE 4.8). */

import type { ServiceError } from "../api/errors.ts";
import { text, whole } from "../sqlite/rows.ts";
import { capital } from "../text/connection-words.ts";
import { JournalError } from "../writes/journal/journal-error.ts";
import { mostResends } from "../writes/retry-table.ts";
import { backOffMs } from "../writes/send/waits.ts";
import type { AtPoint, BulkContext } from "./bulk-context.ts";
import type { RunRow } from "./run-record.ts";
import { rowOfLine } from "./run-rows.ts";
import { boundedCall } from "./schedule/bounded-call.ts";
import { troubleWords } from "./schedule/trouble-words.ts";
import type { AttemptObserver, Job, JobEnd, Work } from "./schedule/work.ts";

interface StatusJob extends Job {
  readonly importSupplier: string;
  readonly account: string;
}

interface StatusWorkOptions {
  readonly timeoutMs: number;
  readonly onRow: (row: RunRow) => void;
  readonly atPoint: AtPoint | undefined;
}

/** The outcome of a row, as it is stored. */
interface Answered {
  readonly outcome: "confirmed" | "rejected" | "retryable";
  readonly status: string | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly detail: string | null;
}

const part = (outcome: string) => `SELECT * FROM (
  SELECT line, import_supplier, external_account_number FROM run_row
  WHERE run = ? AND outcome = '${outcome}' AND line > ? ORDER BY line LIMIT ?)`;

const pending = `${part("waiting")} UNION ALL ${part("retryable")} ORDER BY line LIMIT ?`;

export function statusWork(
  context: BulkContext,
  run: string,
  options: StatusWorkOptions,
): Work<StatusJob> {
  const { journal, clock, random } = context.writes;
  let after = -1;

  const next = (count: number): readonly StatusJob[] => {
    const rows = journal.read((open) =>
      open.all(pending, run, after, count, run, after, count, count),
    );
    return rows.map((row) => {
      after = whole(row, "line");
      return {
        line: after,
        // Reads can run in any order.
        key: String(after),
        notBefore: 0,
        tries: 0,
        retryableRows: 0,
        importSupplier: text(row, "import_supplier"),
        account: text(row, "external_account_number"),
      };
    });
  };

  const keep = async (line: number, answered: Answered): Promise<JobEnd> => {
    const { httpStatus: http_status, ...rest } = answered;
    const columns = { ...rest, http_status };
    try {
      await journal.commit((rows) =>
        rows.update("run_row", columns, "run = ? AND line = ?", run, line),
      );
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      return { kind: "stop", end: { kind: "journal", error } };
    }
    const row = journal.read((rows) => rowOfLine(rows, run, line));
    if (row !== null) options.onRow(row);
    await options.atPoint?.("row-settled");
    return { kind: "over" };
  };

  /** Waits before resend `n`; false when it must make room or the run is canceled. */
  const waited = async (n: number, observer: AttemptObserver): Promise<boolean> => {
    observer.waiting(true);
    try {
      await clock.sleep(backOffMs(n, random()), observer.signal);
      return true;
    } catch (reason) {
      if (observer.signal.aborted) return false;
      throw reason;
    }
  };

  const carryOut = async (job: StatusJob, observer: AttemptObserver): Promise<JobEnd> => {
    const { line, importSupplier, account } = job;
    for (let n = 1; ; ) {
      observer.sending();
      const read: Answered[] = [];
      const reading = async (signal: AbortSignal) => {
        const onWait = () => observer.waiting(true);
        const answer = await context.readStatus(importSupplier, account, signal, onWait);
        const detail = answer.service_account_number;
        read.push({
          outcome: "confirmed",
          status: answer.status,
          httpStatus: 200,
          code: null,
          detail: detail === "" ? null : detail,
        });
      };
      const error = await boundedCall(clock, reading, options.timeoutMs, observer.signal);
      observer.ended(error);
      const [answered] = read;
      if (error === null && answered !== undefined) return keep(line, answered);
      if (error === null || error.kind === "cancelled") return { kind: "again", notBefore: 0 };
      if (["credentials", "unauthorized"].includes(error.kind)) {
        return { kind: "stop", end: { kind: "credentials", error } };
      }
      if (!mayPass(error)) return keep(line, refused(error));
      // The next read waits for the rate limit, which uses up no resends.
      if (error.kind === "rate-limited" && error.facts.sent !== false) continue;
      if (n > mostResends) return keep(line, failed(error));
      if (!(await waited(n, observer))) return { kind: "again", notBefore: 0 };
      n += 1;
    }
  };

  return {
    next,
    carryOut,
    // A failed read is stored as retryable; a resumed run reads it again.
    leave: () => {},
    probe: async ({ importSupplier, account }, signal) => {
      await context.readStatus(importSupplier, account, signal);
    },
    failsWith500: true,
    mostFailedTrials: Number.POSITIVE_INFINITY,
  };
}

/** Whether a further try can help (INTERFACE 4.8 only reads). */
function mayPass({ kind }: ServiceError): boolean {
  return [
    "unreachable",
    "tls",
    "timeout",
    "unavailable",
    "rate-limited",
    "unreadable",
    "redirect",
  ].includes(kind);
}

function refused(error: ServiceError): Answered {
  const { httpStatus = null, code = null, detail = null } = error.facts;
  return { outcome: "rejected", status: null, httpStatus, code, detail: detail ?? error.message };
}

function failed(error: ServiceError): Answered {
  const { httpStatus = null, code = null } = error.facts;
  const detail = `${capital(troubleWords(error))}.`;
  return { outcome: "retryable", status: null, httpStatus, code, detail };
}
