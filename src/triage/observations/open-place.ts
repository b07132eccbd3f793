/** Opens the observations of a service in a state folder, or in memory for an embedded sandbox. */
import { AccountRowReader } from "../../accounts/ingest/reader.ts";
import type { Observations } from "./observations.ts";
import { type OpenObservationsOptions, openObservations } from "./open-observations.ts";
import { hasObservations } from "./schema.ts";

/** A list of all accounts of a supplier from the time before an embedded sandbox started. */
export interface PastList {
  readonly supplier: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The body of the response (INTERFACE 4.9). */
  readonly body: Uint8Array;
}

/**
 * The place of the observations of a service: a state folder, or memory for an embedded sandbox.
 */
export type ObservationsPlace =
  | { readonly folder: string }
  /**
   * The past lists of the sandbox. The lists of each supplier are sorted from the oldest to the
   * newest.
   */
  | { readonly pastLists: () => Promise<readonly PastList[]> };

/**
 * Opens the observations of one service. Creates no file if nothing is recorded.
 *
 * The observations of an embedded sandbox begin with the lists that it would have returned before
 * it started, so that there are ages, changes and gone accounts to show. A real service has no such
 * lists. Its history begins with the first recorded load.
 */
export async function openPlace(
  place: ObservationsPlace,
  options: Omit<OpenObservationsOptions, "folder">,
): Promise<Observations> {
  const { recording } = options;
  if ("folder" in place) {
    const { folder } = place;
    const isUsed = recording || hasObservations(folder);
    return openObservations({ ...options, folder: isUsed ? folder : null });
  }
  const [observations, lists] = await Promise.all([
    openObservations({ ...options, folder: null }),
    // A stopped sandbox also fails the other requests, which report it.
    recording ? place.pastLists().catch(() => []) : [],
  ]);
  for (const list of lists) await recordPastList(observations, list);
  return observations;
}

async function recordPastList(observations: Observations, list: PastList): Promise<void> {
  const recorder = observations.begin(list.supplier, list.at);
  const reader = new AccountRowReader();
  const batch = reader.push(list.body);
  if (batch) await recorder.take(batch);
  const end = reader.end();
  if (end.batch) await recorder.take(end.batch);
  await recorder.finish();
}
