/** Verifies a colleague's entry about a supply point: only its import process shows the effect. */
import { isServiceError } from "../../api/errors.ts";
import type { Service } from "../../api/service.ts";
import { safe } from "../../text/sanitize.ts";
import { situationOf } from "../decide.ts";
import { readRules } from "../retry-table.ts";
import { confirms } from "../send/look-up.ts";
import { outcomeOfTeam } from "./colleagues.ts";
import type { Ledger, ListedEntry } from "./ledger.ts";

/** The result of a look-up. `unknown` has a sentence about what the service has. */
export type TeamVerification =
  | { readonly kind: "verified"; readonly reason: string }
  | { readonly kind: "unknown"; readonly why: string }
  /** The entry was settled meanwhile. */
  | { readonly kind: "settled" };

/** The supply point of an entry of the ledger. */
interface VerifiablePoint {
  readonly importSupplier: string;
  readonly externalIdentifier: string;
}

/** Returns the supply point of an unknown entry, or null if the entry cannot be verified here. */
export function verifiablePoint(entry: ListedEntry): VerifiablePoint | null {
  const { importSupplier, externalIdentifier } = entry;
  if (outcomeOfTeam(entry) !== "unknown" || importSupplier === null || externalIdentifier === null)
    return null;
  return { importSupplier, externalIdentifier };
}

/**
 * Looks up the supply point (INTERFACE 4.7), and closes the entry in the ledger if its import process is
 * newer than the claim. Rejects with ServiceError or a team error.
 */
export async function verifyTeamEntry(
  service: Pick<Service, "supplyPoints">,
  ledger: Pick<Ledger, "closeEntry">,
  entry: ListedEntry,
  { importSupplier, externalIdentifier }: VerifiablePoint,
  options: Parameters<Service["supplyPoints"]["status"]>[2],
): Promise<TeamVerification> {
  const point = safe(`${importSupplier}/${externalIdentifier}`);
  try {
    const { value } = await service.supplyPoints.status(
      importSupplier,
      externalIdentifier,
      options,
    );
    // The claim has the time of the database, so the clocks of two machines are compared.
    const made = { lookedUp: null, createdAt: entry.at };
    if (!confirms(made, { kind: "found", process: value, clockAheadMs: null }))
      return { kind: "unknown", why: `The import process of ${point} is older than the entry.` };
    const reason = `the service has the import process of ${point}: ${safe(value.status)}`;
    const closing = { reason, tookEffect: "yes" } as const;
    const answer = await ledger.closeEntry(entry.id, closing, "verified");
    return answer.kind === "closed" ? { kind: "verified", reason } : { kind: "settled" };
  } catch (error) {
    if (isServiceError(error) && readRules[situationOf(error)] === "answer")
      return { kind: "unknown", why: `The service has no import process of ${point}.` };
    throw error;
  }
}
