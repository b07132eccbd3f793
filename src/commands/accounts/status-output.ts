/** Prints the results of `accounts status` in every format. */

import { isServiceError } from "../../api/errors.ts";
import type { AccountStatus } from "../../api/service.ts";
import type { AppError } from "../../errors/app-error.ts";
import { accountStatusWords } from "../../text/describe-status.ts";
import { quoted, serviceWords } from "../../text/service-words.ts";
import { widest } from "../../text/width.ts";
import { type Failure, failureJson } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, column, withStatusText } from "../rows/columns.ts";
import { isForPeople, type PrintOptions, printRow, writerFor } from "../rows/print.ts";
import {
  accountColumn,
  serviceNumberColumn,
  statusColumn,
  supplierColumn,
} from "../rows/shared-columns.ts";

/** The result of looking up one account. */
export type StatusEntry =
  | {
      readonly kind: "answered";
      readonly supplier: string;
      readonly account: string;
      readonly status: AccountStatus;
    }
  | {
      readonly kind: "failed";
      readonly supplier: string;
      readonly account: string;
      readonly failure: Failure;
      /** The error itself. A command for a single account throws it. */
      readonly thrown: AppError<"call">;
    };

/** One row of the output. `error` replaces the status if the lookup failed. */
interface StatusRow {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly status?: string;
  readonly service_account_number?: string | null;
  readonly error?: Record<string, unknown>;
  /** The error in one line of text. */
  readonly inShort?: string;
}

/** The columns of every result. They never vary, because scripts select columns by position. */
export const statusColumns: readonly Column<StatusRow>[] = [
  { ...supplierColumn, title: "Import supplier" },
  accountColumn,
  statusColumn,
  serviceNumberColumn,
  {
    ...column(
      "error",
      "Error",
      "object",
      "Only for a failed lookup among several: see [Errors](#errors).",
    ),
    text: ({ inShort }) => inShort,
  },
];

const json: PrintOptions<StatusRow>["json"] = ({ inShort: _, ...row }) => row;

/** Prints the status of a single account. */
export async function printOneStatus(
  invocation: Invocation,
  answered: Extract<StatusEntry, { kind: "answered" }>,
): Promise<void> {
  const brief = withStatusText(statusColumns.slice(0, -1), accountStatusWords);
  await printRow(invocation, statusColumns, rowOf(answered), { json, brief });
}

/** Prints entries one by one. `end` closes the output after the last entry. */
interface StatusPrinter {
  entry(entry: StatusEntry): Promise<void>;
  end(): void;
}

/**
 * Returns a printer for several statuses. `accounts` is all accounts that will be printed. The
 * longest one sets the width of the column.
 */
export function statusPrinter(invocation: Invocation, accounts: readonly string[]): StatusPrinter {
  const { out } = invocation;
  const forPeople = isForPeople(invocation.globals);
  const brief: readonly Column<StatusRow>[] = [
    { ...accountColumn, width: forPeople ? widest(accounts) : 0 },
    { ...statusColumn, width: 22, shown: shownStatus },
    serviceNumberColumn,
  ];
  const writer = writerFor(invocation, statusColumns, { json, brief, isCut: false });
  return {
    entry: async (entry) => {
      await out.write(writer.rows([rowOf(entry)]));
      if (forPeople && entry.kind === "failed") invocation.problem(entry.failure.message);
    },
    end: () => out.close(writer.end()),
  };
}

function rowOf(entry: StatusEntry): StatusRow {
  const who = { import_supplier: entry.supplier, external_account_number: entry.account };
  if (entry.kind === "answered") {
    const { status, service_account_number } = entry.status;
    return { ...who, status, service_account_number };
  }
  const { failure, thrown } = entry;
  return { ...who, error: failureJson(failure), inShort: shortError(failure, thrown.cause) };
}

function shownStatus({ status, error }: StatusRow): string {
  if (status !== undefined) return accountStatusWords(status).label;
  const note = error?.http_status === undefined ? "" : ` (${error.http_status})`;
  return `${error?.kind}${note}`;
}

/**
 * Returns one line with the kind, the HTTP status and code if present, and the service's message,
 * without a remedy.
 */
function shortError(failure: Failure, error: unknown): string {
  const { kind, httpStatus, code } = failure;
  const facts = [kind, ...(httpStatus === undefined ? [] : [httpStatus]), ...(code ? [code] : [])];
  const detail = isServiceError(error)
    ? (serviceWords(error, (attr) => attr) ?? quoted(error.message))
    : failure.message;
  return `${facts.join(" ")}: ${detail}`;
}
