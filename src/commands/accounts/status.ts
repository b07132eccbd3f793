import { isServiceError } from "../../api/errors.ts";
import { CommandError, FailedCall } from "../command-error.ts";
import { exitCode, gravest } from "../exit-codes.ts";
import { type Failure, failureOf } from "../failure.ts";
import { inOrder } from "../in-order.ts";
import type { Invocation } from "../invocation.ts";
import { type Target, withTarget } from "../target.ts";
import { readAccountNumbers } from "./numbers-file.ts";
import { printOneStatus, type StatusEntry, statusPrinter } from "./status-output.ts";

export interface AccountStatusOptions {
  readonly supplier: string;
  readonly named: readonly string[];
  /** A file, or `-` for standard input. */
  readonly from: string | undefined;
}

/** Requests under way at a time: fast over a slow link, and polite. */
const atOnce = 8;

/**
 * The import status of accounts (INTERFACE 4.8) in the order given. With several, one that fails
 * carries its error in its entry and does not stop the others; the gravest decides the exit code.
 */
export async function accountStatuses(
  invocation: Invocation,
  options: AccountStatusOptions,
): Promise<number> {
  const { supplier, named, from } = options;
  const read = from === undefined ? [] : await readAccountNumbers(invocation, from);
  const accounts = [...named, ...read];
  const [only, ...others] = accounts;
  if (only === undefined)
    throw new CommandError(
      "usage",
      "accounts status needs at least one external account number",
      "Name them after the supplier, or give a file with --from FILE (or - for standard input).",
    );
  return withTarget(invocation, async (target) => {
    if (others.length === 0) {
      const entry = await lookUp(invocation, target, supplier)(only);
      if (entry.kind === "failed") throw entry.thrown;
      await printOneStatus(invocation, entry);
      return exitCode.done;
    }
    return printMany(invocation, target, supplier, accounts);
  });
}

async function printMany(
  invocation: Invocation,
  target: Target,
  supplier: string,
  accounts: readonly string[],
): Promise<number> {
  const printer = statusPrinter(invocation, accounts);
  const codes = new Set<number>();
  for await (const entry of inOrder(accounts, atOnce, lookUp(invocation, target, supplier))) {
    if (entry.kind === "failed") codes.add(entry.failure.exitCode);
    await printer.entry(entry);
  }
  // Interrupted, the array stays open: it must not pass for the whole answer.
  printer.end();
  return gravest(codes);
}

/** Looks accounts up. Once the credentials are refused nobody is asked again: nothing would change. */
function lookUp(
  invocation: Invocation,
  { service, context }: Target,
  supplier: string,
): (account: string) => Promise<StatusEntry> {
  const { io, globals } = invocation;
  const { timeoutMs } = globals;
  let refused: unknown = null;
  return async (account) => {
    const failed = (error: unknown): StatusEntry => {
      const subject = { kind: "account", supplier, id: account } as const;
      const thrown = new FailedCall(error, context(`reading the status of ${account}`, subject));
      const failure: Failure = failureOf(thrown);
      return { kind: "failed", supplier, account, failure, thrown };
    };
    if (refused !== null) return failed(refused);
    try {
      const { value } = await service.accounts.status(supplier, account, {
        signal: io.signal,
        timeoutMs,
      });
      return { kind: "answered", supplier, account, status: value };
    } catch (error) {
      io.signal.throwIfAborted();
      if (!isServiceError(error)) throw error;
      if (error.kind === "credentials" || error.kind === "unauthorized") refused = error;
      return failed(error);
    }
  };
}
