import type { AccountStatus, SupplyPointProcess } from "../api/service.ts";
import type { Sighting } from "./watched.ts";

/** What an account's status (INTERFACE 4.8) says of its import. */
export function accountSighting(status: AccountStatus): Sighting {
  return { state: status.status, serviceNumber: status.service_account_number };
}

/** What a supply point's process (INTERFACE 4.7) says of its import. */
export function supplyPointSighting(process: SupplyPointProcess): Sighting {
  return { state: process.status, serviceNumber: process.service_identifier ?? "" };
}
