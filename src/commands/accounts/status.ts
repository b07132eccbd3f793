/** The command `accounts status`: prints the import status of accounts (INTERFACE 4.8). */

import { isServiceError } from "../../api/errors.ts";
import type { AccountStatus } from "../../api/service.ts";
import type { AppError } from "../../errors/app-error.ts";
import { accountStatusWords } from "../../text/describe-status.ts";
import { quoted, serviceWords } from "../../text/service-words.ts";
import { widest } from "../../text/width.ts";
import { notFound } from "../../watch/timeline.ts";
import { failedCall } from "../command-error.ts";
import { exitCode, mostSevere } from "../exit-codes.ts";
import { type Failure, failureJson, failureOf } from "../failure.ts";
import { accountsGiven, addAccounts, type FromOption } from "../given-accounts.ts";
import type { Invocation } from "../invocation.ts";
import {
  accountColumn,
  type Column,
  column,
  serviceNumberColumn,
  statusColumn,
  supplierColumn,
  withStatusText,
} from "../rows/columns.ts";
import { isForPeople, type PrintOptions, printRow, writerFor } from "../rows/print.ts";
import { type Target, withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import {
  type AccountVerdict,
  pendingColumn,
  sinceColumn,
  type VerdictFields,
  type Verdicts,
  verdictColumn,
  verdictColumns,
  withVerdicts,
} from "./verdicts.ts";

type StatusEntry =
  | {
      readonly kind: "known";
      readonly supplier: string;
      readonly account: string;
      readonly status: AccountStatus;
      readonly verdict: AccountVerdict | null;
    }
  | {
      readonly kind: "failed";
      readonly supplier: string;
      readonly account: string;
      readonly failure: Failure;
      readonly error: AppError<"call">;
      readonly verdict: AccountVerdict | null;
    };

/** One row of the output. `error` replaces the status if the lookup failed. */
interface StatusRow extends Partial<VerdictFields> {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly status?: string;
  readonly service_account_number?: string | null;
  readonly error?: Record<string, unknown>;
  readonly errorLine?: string;
  readonly words?: AccountVerdict["words"];
}

/** The columns of every result. They never vary, because scripts select columns by position. */
const statusColumns: readonly Column<StatusRow>[] = [
  { ...supplierColumn, title: "Import supplier" },
  accountColumn,
  statusColumn,
  serviceNumberColumn,
  {
    ...column("error", "object", "Only for a failed lookup among several: see [Errors](#errors)."),
    text: ({ errorLine }) => errorLine,
  },
];

const json: PrintOptions<StatusRow>["json"] = ({ errorLine: _, words: __, ...row }) => row;

const sinceForPeople: Column<StatusRow> = {
  ...sinceColumn,
  shown: ({ words }) => words?.since,
};
const pendingForPeople: Column<StatusRow> = {
  ...pendingColumn,
  shown: ({ words }) => words?.pending,
};
const verdictForPeople: Column<StatusRow> = {
  ...verdictColumn,
  shown: ({ words }) => words?.verdict,
};
const othersForPeople: Column<StatusRow> = {
  ...verdictColumn,
  title: "",
  shown: ({ words }) => words?.others ?? "",
};

interface StatusOptions extends FromOption {
  readonly verdict?: boolean;
}

export const verb: Verb = {
  description: "the import status of accounts, in the order given",
  declare: (command) =>
    addAccounts(command).option(
      "--verdict",
      "add since when each account has its status and if that is usual, from the stored observations",
    ),
  columns: [...statusColumns, ...verdictColumns],
  /**
   * Prints the import status of accounts in the given order. Among several accounts, a failed
   * lookup is reported in its row and does not stop the others. The most severe error determines
   * the exit code.
   */
  async run(invocation, supplier: string, named: readonly string[], options: StatusOptions) {
    const { from } = options;
    const accounts = await accountsGiven(invocation, "accounts status", { named, from, supplier });
    const [only = "", ...others] = accounts;
    return withTarget(invocation, (target) =>
      withVerdicts(invocation, target, supplier, options.verdict === true, async (verdicts) => {
        const run: StatusRun = { invocation, target, supplier, verdicts };
        if (others.length > 0) return printMany(run, accounts);
        const entry = await lookUp(run)(only);
        if (entry.kind === "failed" && !isListed(entry.verdict)) throw entry.error;
        await printOneStatus(run, entry);
        if (entry.kind === "failed") throw entry.error;
        return exitCode.done;
      }),
    );
  },
  exits: exits.read,
  examples: [
    "supplyline accounts status ACME EXT-0000001",
    "supplyline accounts status ACME EXT-0000001 EXT-0000002 --json",
    "supplyline accounts status ACME --from accounts.csv --format csv",
    "supplyline accounts status ACME EXT-0000001 --verdict --json",
    "supplyline accounts status ACME -- -4711   # it begins with a dash",
  ],
};

/**
 * Maximum number of simultaneous requests: fast on a slow connection, without overloading the
 * service.
 */
const maxRequests = 8;

interface StatusRun {
  readonly invocation: Invocation;
  readonly target: Target;
  readonly supplier: string;
  readonly verdicts: Verdicts;
}

/** Prints the statuses of several accounts. Returns the most severe exit code. */
async function printMany(run: StatusRun, accounts: readonly string[]): Promise<number> {
  const printer = statusPrinter(run, accounts);
  const codes = new Set<number>();
  for await (const entry of inOrder(accounts, maxRequests, lookUp(run))) {
    if (entry.kind === "failed") codes.add(entry.failure.exitCode);
    await printer.entry(entry);
  }
  // An interruption skips this line, so that the JSON array of incomplete results stays open.
  printer.end();
  return mostSevere(codes);
}

/**
 * Returns a function that looks up an account. After refused credentials, the function sends no
 * other request, because the service would refuse every request.
 */
function lookUp({
  invocation: { io, request },
  target: { service, context },
  supplier,
  verdicts,
}: StatusRun): (account: string) => Promise<StatusEntry> {
  let refusal: unknown = null;
  return async (account) => {
    const failed = (cause: unknown, verdict: AccountVerdict | null = null): StatusEntry => {
      const subject = { kind: "account", supplier, id: account } as const;
      const callError = failedCall(cause, context(`reading the status of ${account}`, subject));
      const failure = failureOf(callError);
      return { kind: "failed", supplier, account, failure, error: callError, verdict };
    };
    if (refusal !== null) return failed(refusal);
    try {
      const { value } = await service.accounts.status(supplier, account, request);
      const verdict = await verdicts.of(account, value.status);
      return { kind: "known", supplier, account, status: value, verdict };
    } catch (error) {
      io.signal.throwIfAborted();
      if (!isServiceError(error)) throw error;
      if (error.kind === "credentials" || error.kind === "unauthorized") refusal = error;
      const isMissing = error.kind === "not-found";
      return failed(error, isMissing ? await verdicts.of(account, notFound) : null);
    }
  };
}

/**
 * Runs `work` for each item, for at most `maxRunning` items at a time. Yields the results in the
 * order of the items. `work` must catch the failures of single items, because a rejection ends the
 * generator.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  maxRunning: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const running: Promise<R>[] = [];
  let next = 0;
  while (next < items.length || running.length > 0) {
    while (next < items.length && running.length < maxRunning) {
      const promise = work(items[next++] as T);
      // A rejection must not count as unhandled before the promise is awaited.
      promise.catch(() => {});
      running.push(promise);
    }
    const first = running.shift();
    if (first !== undefined) yield await first;
  }
}

/** Returns true if the verdict on an account without a status (404) has more than this answer. */
function isListed(verdict: AccountVerdict | null): boolean {
  return verdict !== null && verdict.fields.since !== verdict.fields.checked_at;
}

async function printOneStatus(
  { invocation, verdicts }: StatusRun,
  entry: StatusEntry,
): Promise<void> {
  const row = rowOf(entry, verdicts);
  const brief = [
    ...withStatusText(
      statusColumns.slice(0, -1),
      ({ words, status = "" }) => words?.state ?? accountStatusWords(status),
    ),
    sinceForPeople,
    ...(row.words?.pending == null ? [] : [pendingForPeople]),
    verdictForPeople,
    ...(row.words?.others == null ? [] : [othersForPeople]),
  ];
  await printRow(invocation, columnsOf(invocation, verdicts), row, { json, brief });
}

/** Returns the columns of the verdict, too, if it is requested or any column is named. */
function columnsOf(
  { globals }: Invocation,
  { areRequested }: Verdicts,
): readonly Column<StatusRow>[] {
  const hasAll = areRequested || globals.columns !== undefined;
  return hasAll ? [...statusColumns, ...verdictColumns] : statusColumns;
}

interface StatusPrinter {
  entry(entry: StatusEntry): Promise<void>;
  end(): void;
}

/**
 * Returns a printer for several statuses. `accounts` has all accounts to print, because the longest
 * account number sets the width of the column.
 */
function statusPrinter(run: StatusRun, accounts: readonly string[]): StatusPrinter {
  const { invocation, verdicts } = run;
  const { out } = invocation;
  const printsForPeople = isForPeople(invocation.globals);
  const brief: readonly Column<StatusRow>[] = [
    { ...accountColumn, width: printsForPeople ? widest(accounts) : 0 },
    { ...statusColumn, width: 22, shown: statusText },
    { ...sinceForPeople, width: 23 },
    { ...verdictForPeople, width: 20 },
    serviceNumberColumn,
  ];
  const writer = writerFor(invocation, columnsOf(invocation, verdicts), {
    json,
    brief,
    isCut: false,
  });
  return {
    entry: async (entry) => {
      await out.write(writer.rows([rowOf(entry, verdicts)]));
      if (printsForPeople && entry.kind === "failed") invocation.problem(entry.failure.message);
    },
    end: () => out.close(writer.end()),
  };
}

function rowOf(entry: StatusEntry, { areRequested }: Verdicts): StatusRow {
  const { verdict } = entry;
  const account = {
    import_supplier: entry.supplier,
    external_account_number: entry.account,
  };
  const more = {
    ...(verdict === null ? {} : { words: verdict.words }),
    ...(verdict === null || !areRequested ? {} : verdict.fields),
  };
  if (entry.kind === "known") {
    const { status, service_account_number } = entry.status;
    return { ...account, status, service_account_number, ...more };
  }
  const { failure, error } = entry;
  const errorFields = { error: failureJson(failure), errorLine: errorLineOf(failure, error.cause) };
  return { ...account, ...errorFields, ...more };
}

function statusText({ words, status, error }: StatusRow): string {
  if (words !== undefined) return words.state.label;
  if (status !== undefined) return accountStatusWords(status).label;
  const note = error?.http_status === undefined ? "" : ` (${error.http_status})`;
  return `${error?.kind}${note}`;
}

/**
 * Returns one line with the kind, the HTTP status and code if present, and the service's message,
 * without a remedy.
 */
function errorLineOf(failure: Failure, error: unknown): string {
  const { kind, httpStatus, code } = failure;
  const facts = [kind, ...(httpStatus === undefined ? [] : [httpStatus]), ...(code ? [code] : [])];
  const detail = isServiceError(error)
    ? (serviceWords(error, (attr) => attr) ?? quoted(error.message))
    : failure.message;
  return `${facts.join(" ")}: ${detail}`;
}
