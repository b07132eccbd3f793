import { supplyPointProcess } from "./answers.ts";
import type { Service } from "./service.ts";
import { getStatus, statusTimeoutMs, type Transport } from "./transport.ts";

/** Below the base URL, without the identifiers (INTERFACE 4.7). */
export const supplyPointStatusPath = "v2/data-import/supply-points";

/** The calls about supply points (INTERFACE 4.7). */
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
