/** Creates the calls that read accounts, lists and supply points. */
import { accountStatus, supplyPointProcess } from "./answers.ts";
import type { ListState, Service } from "./service.ts";
import { get, getStatus, listTimeoutMs, statusTimeoutMs, type Transport } from "./transport.ts";

/** The path of an account's status below the base URL, without the identifiers (INTERFACE 4.8). */
export const accountStatusPath = "v1/data-import/account-transfer-status";

/** Returns the path of a list (INTERFACE 4.9–4.11). */
export function listPath(state: ListState): string {
  return `v1/data-import/${state}-account-import-processes`;
}

/** Creates the calls about accounts (INTERFACE 4.8–4.11). */
export function accountCalls(transport: Transport): Service["accounts"] {
  const { brand, clock } = transport;
  return {
    status(supplier, account, options = {}) {
      const identifiers = [supplier, account];
      const read = { path: accountStatusPath, identifiers, timeoutMs: statusTimeoutMs };
      return getStatus(transport, read, options, "an account status", accountStatus);
    },
    async list(supplier, state, options = {}) {
      const read = { path: listPath(state), identifiers: [supplier], timeoutMs: listTimeoutMs };
      const begun = await get(transport, read, options, async (answer) => answer);
      const { chunks, header, wireBytes, facts } = begun;
      return { chunks, header, wireBytes, facts, brand, clock };
    },
  };
}

/**
 * The path of a supply point's process below the base URL, without the identifiers (INTERFACE 4.7).
 */
export const supplyPointStatusPath = "v2/data-import/supply-points";

/** Creates the calls about supply points (INTERFACE 4.7). */
export function supplyPointCalls(transport: Transport): Service["supplyPoints"] {
  return {
    status(supplier, identifier, options = {}) {
      const identifiers = [supplier, identifier];
      const read = { path: supplyPointStatusPath, identifiers, timeoutMs: statusTimeoutMs };
      const what = "a supply point import process";
      return getStatus(transport, read, options, what, supplyPointProcess);
    },
  };
}
