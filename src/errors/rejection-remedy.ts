/** Suggests a remedy for a rejection that a corrected input would not fix. */
import type { ServiceError } from "../api/errors.ts";
import { asCommand } from "../text/as-command.ts";
import { quoted } from "../text/service-words.ts";

/** The error code for a supply point that is already imported (INTERFACE 4.6 and 7.3). */
const alreadyImported = "supply_point_import_process_already_imported";

/** Documented codes (INTERFACE 4.2 and 7.1 to 7.5). None is about the status of a supplier. */
const knownCodes: ReadonlySet<string> = new Set([
  "account_failed_validation",
  "invalid_phone_number",
  "not_found",
  "TRANSACTION_IMPORT_ERROR",
]);

interface RejectedRequest {
  readonly profile?: string | undefined;
  readonly subject?: { readonly supplier: string; readonly id?: string | undefined } | undefined;
}

/**
 * Returns the remedy for a rejection that a corrected input would not fix, or null for any other
 * rejection. INTERFACE 7.6 does not document the error for a supplier that is Paused or Complete.
 * Therefore the function searches the error text for "paused" and "complete", unless the response
 * names a field or has a documented code. This remedy is a guess, because the text can change.
 */
export function rejectionRemedy(error: ServiceError, context: RejectedRequest): string | null {
  const { code = "", detail = "", errors = [], supplyPointIdentifier } = error.facts;
  if (code === alreadyImported) {
    const supplier = context.subject?.supplier;
    const id = supplyPointIdentifier ?? context.subject?.id;
    const status =
      supplier === undefined || id === undefined
        ? null
        : asCommand({ kind: "supply-point-status", supplier, id }, context.profile ?? null);
    const command = status === null ? "" : `: \`${quoted(status)}\` shows its import`;
    return `This supply point already has an import process${command}.`;
  }
  if (errors.some(({ attr }) => attr !== null) || knownCodes.has(code)) return null;
  const text = `${code.replaceAll("_", " ")} ${detail}`;
  if (!/supplier|migration/i.test(text)) return null;
  if (/\bpaused\b/i.test(text)) {
    return "The import supplier might be paused. Ask the operator of the platform to resume the supplier. Then send the request again.";
  }
  return /\b(?:complete|completed|finished)\b/i.test(text)
    ? "The migrations of this import supplier might be complete. Ask the operator of the platform."
    : null;
}
