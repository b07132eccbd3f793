/** The command `accounts status`: prints the import status of accounts (INTERFACE 4.8). */

import { isServiceError } from "../../api/errors.ts";
import { failedCall } from "../command-error.ts";
import { exitCode, mostSevere } from "../exit-codes.ts";
import { type Failure, failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { type Target, withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { accountsGiven, addAccounts, type FromOption } from "./numbers-file.ts";
import { printOneStatus, type StatusEntry, statusColumns, statusPrinter } from "./status-output.ts";

export const verb: Verb = {
  description: "the import status of accounts, in the order given",
  examples: [
    "supplyline accounts status ACME EXT-0000001",
    "supplyline accounts status ACME EXT-0000001 EXT-0000002 --json",
    "supplyline accounts status ACME --from accounts.csv --format csv",
    "supplyline accounts status ACME -- -4711   # it begins with a dash",
  ],
  exits: exits.read,
  columns: statusColumns,
  declare: (command) => addAccounts(command),
  /**
   * Prints the import status of accounts in the given order. Among several accounts, a failed
   * lookup is reported in its row and does not stop the others. The most severe error determines
   * the exit code.
   */
  async run(invocation, supplier: string, named: readonly string[], { from }: FromOption) {
    const accounts = await accountsGiven(invocation, "accounts status", named, from);
    const [only = "", ...others] = accounts;
    return withTarget(invocation, async (target) => {
      if (others.length === 0) {
        const entry = await lookUp(invocation, target, supplier)(only);
        if (entry.kind === "failed") throw entry.thrown;
        await printOneStatus(invocation, entry);
        return exitCode.done;
      }
      return printMany(invocation, target, supplier, accounts);
    });
  },
};

/**
 * Maximum number of simultaneous requests: fast on a slow connection, without overloading the
 * service.
 */
const atOnce = 8;

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
  // An interruption skips this line, so that the JSON array of incomplete results stays open.
  printer.end();
  return mostSevere(codes);
}

/**
 * Returns a function that looks up an account. After refused credentials it sends no other request,
 * because the service would refuse that, too.
 */
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
      const thrown = failedCall(error, context(`reading the status of ${account}`, subject));
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

/**
 * Runs `work` for each item, at most `atOnce` at a time. Yields the results in the order of the
 * items. `work` must catch the failures of single items, because a rejection ends the generator.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const waiting: Promise<R>[] = [];
  let next = 0;
  while (next < items.length || waiting.length > 0) {
    while (next < items.length && waiting.length < atOnce) {
      const promise = work(items[next++] as T);
      // The promise is awaited later. Until then a rejection must not count as unhandled.
      promise.catch(() => {});
      waiting.push(promise);
    }
    const first = waiting.shift();
    if (first !== undefined) yield await first;
  }
}
