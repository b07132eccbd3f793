import type { RowValues } from "../settings/custom/values.ts";
import { notFound } from "../watch/transitions.ts";
import type { Watched } from "../watch/watched.ts";

/** What a command or hook of the user's can name of something watched. */
export function watchedValues({
  kind,
  supplier,
  number,
  serviceNumber,
  timeline,
}: Watched): RowValues {
  const state = timeline.at(-1)?.state;
  return {
    import_supplier: supplier,
    ...(kind === "account" ? { external_account_number: number } : { external_identifier: number }),
    ...(serviceNumber === "" ? {} : { service_account_number: serviceNumber }),
    status: state === notFound ? "NOT FOUND" : state,
  };
}
