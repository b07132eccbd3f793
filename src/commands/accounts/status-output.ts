import { isServiceError } from "../../api/errors.ts";
import type { AccountStatus } from "../../api/service.ts";
import { toJson } from "../../json/print.ts";
import { csvRow } from "../../text/csv.ts";
import { accountStatusWords } from "../../text/describe-status.ts";
import { safe } from "../../text/sanitise.ts";
import { quoted, serviceWords } from "../../text/service-words.ts";
import { padOrTruncate, widest } from "../../text/width.ts";
import type { FailedCall } from "../command-error.ts";
import { type Failure, failureJson } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { type Field, printEntry, withMeaning } from "../present.ts";

/** What came of asking for one account. */
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
      /** The error itself, for the case that it is the whole result. */
      readonly thrown: FailedCall;
    };

const fields = [
  { name: "import_supplier", title: "Import supplier" },
  { name: "external_account_number", title: "External account number" },
  { name: "status", title: "Status" },
  { name: "service_account_number", title: "Service account number" },
] as const satisfies readonly Field[];

/** The columns of CSV, whatever the accounts come to: scripts cut columns by their place. */
const csvColumns = [...fields.map(({ name }) => name), "error"];

/** Prints the one status that was asked for. */
export async function printOneStatus(
  invocation: Invocation,
  answered: Extract<StatusEntry, { kind: "answered" }>,
): Promise<void> {
  const { supplier, account, status } = answered;
  if (invocation.globals.format === "csv") {
    await invocation.out.line(csvRow(csvColumns));
    return invocation.out.line(csvOf(answered));
  }
  const entry = {
    import_supplier: supplier,
    external_account_number: account,
    status: status.status,
    service_account_number: status.service_account_number,
  };
  if (invocation.globals.format !== "table") return printEntry(invocation, fields, entry);
  const { label, meaning } = accountStatusWords(status.status);
  await printEntry(invocation, withMeaning(fields), { ...entry, status: label, meaning });
}

/** Prints entries one by one; `end` closes what was begun, once every entry was printed. */
interface StatusPrinter {
  entry(entry: StatusEntry): Promise<void>;
  end(): void;
}

/** A printer for several statuses; the accounts are those that will come, for the columns' width. */
export function statusPrinter(invocation: Invocation, accounts: readonly string[]): StatusPrinter {
  const { out, globals } = invocation;
  let count = 0;
  switch (globals.format) {
    case "json":
      return {
        entry: (entry) => out.write(`${count++ === 0 ? "[\n" : ",\n"}${toJson(jsonOf(entry))}`),
        end: () => {
          if (count > 0) out.close("\n]\n");
        },
      };
    case "jsonl":
      return { entry: (entry) => out.line(toJson(jsonOf(entry))), end: () => {} };
    case "csv":
      return {
        entry: (entry) => {
          const head = count++ === 0 ? `${csvRow(csvColumns)}\n` : "";
          return out.write(`${head}${csvOf(entry)}\n`);
        },
        end: () => {},
      };
    case "table": {
      const width = widest(["External account number", ...accounts]);
      return {
        entry: async (entry) => {
          if (count++ === 0)
            await out.line(
              tableLine("External account number", "Status", "Service account number", width),
            );
          await out.line(tableOf(entry, width));
          if (entry.kind === "failed") invocation.problem(entry.failure.message);
        },
        end: () => {},
      };
    }
  }
}

function jsonOf(entry: StatusEntry): Record<string, unknown> {
  const who = { import_supplier: entry.supplier, external_account_number: entry.account };
  if (entry.kind === "failed") return { ...who, error: failureJson(entry.failure) };
  const { status, service_account_number } = entry.status;
  return { ...who, status, service_account_number };
}

function csvOf(entry: StatusEntry): string {
  const { supplier, account } = entry;
  return entry.kind === "failed"
    ? csvRow([supplier, account, null, null, shortError(entry)])
    : csvRow([supplier, account, entry.status.status, entry.status.service_account_number, null]);
}

/** The kind, the status and code where there are any, and the service's own words: no advice. */
function shortError({ failure, thrown }: Extract<StatusEntry, { kind: "failed" }>): string {
  const { kind, httpStatus, code } = failure;
  const facts = [kind, ...(httpStatus === undefined ? [] : [httpStatus]), ...(code ? [code] : [])];
  const detail = isServiceError(thrown.error)
    ? (serviceWords(thrown.error, (attr) => attr) ?? quoted(thrown.error.message))
    : failure.message;
  return `${facts.join(" ")}: ${detail}`;
}

function tableOf(entry: StatusEntry, width: number): string {
  if (entry.kind === "answered") {
    const { status, service_account_number: number } = entry.status;
    return tableLine(entry.account, accountStatusWords(status).label, number || "-", width);
  }
  const { kind, httpStatus } = entry.failure;
  const note = httpStatus === undefined ? "" : ` (${httpStatus})`;
  return tableLine(entry.account, `${kind}${note}`, "-", width);
}

function tableLine(account: string, status: string, number: string, width: number): string {
  return `${padOrTruncate(account, width)}  ${padOrTruncate(status, Math.max(22, status.length))}  ${safe(number)}`;
}
