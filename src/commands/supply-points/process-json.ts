import type { SupplyPointProcess } from "../../api/service.ts";

/** Which supply point: INTERFACE 1.5. */
export interface SupplyPoint {
  readonly supplier: string;
  readonly identifier: string;
}

/** The process with the names of the supply point before it, in the wire's words. */
export function supplyPointJson(
  { supplier, identifier }: SupplyPoint,
  found: SupplyPointProcess,
): Record<string, unknown> {
  const { status, service_identifier, created_at, modified_at, latest_error } = found;
  return {
    import_supplier: supplier,
    external_identifier: identifier,
    status,
    service_identifier,
    created_at,
    modified_at,
    latest_error,
  };
}
