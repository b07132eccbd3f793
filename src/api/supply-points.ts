import { isRecord } from "../json/exact.ts";
import { identifierIn } from "./brand.ts";
import type { Service, SupplyPointError } from "./service.ts";
import { getStatus, statusTimeoutMs, type Transport } from "./transport.ts";

/** Below the base URL, without the identifiers (INTERFACE 4.7). */
export const supplyPointStatusPath = "v2/data-import/supply-points";

/** The calls about supply points (INTERFACE 4.7). */
export function supplyPointCalls(transport: Transport): Service["supplyPoints"] {
  return {
    status(supplier, identifier, options = {}) {
      const identifiers = [supplier, identifier];
      const read = { path: supplyPointStatusPath, identifiers, timeoutMs: statusTimeoutMs };
      return getStatus(transport, read, options, "a supply point import process", (body) => ({
        status: body.status,
        service_identifier: identifierIn(body, transport.brand),
        created_at: text(body.created_at),
        modified_at: text(body.modified_at),
        latest_error: latestError(body.latest_error),
      }));
    },
  };
}

/** A value as text; one of an undocumented type is still shown. */
function text(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An error of an undocumented shape is still an error: all of it is the detail. */
function latestError(value: unknown): SupplyPointError | null {
  if (!isRecord(value)) {
    const detail = text(value);
    return detail === null ? null : { code: "", detail, domain: "" };
  }
  const { code, detail, domain } = value;
  return { code: text(code) ?? "", detail: text(detail) ?? "", domain: text(domain) ?? "" };
}
