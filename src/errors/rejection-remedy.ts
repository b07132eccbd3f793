/** Suggests a remedy for a rejection that a corrected input would not change. */
import type { ServiceError } from "../api/errors.ts";
import { asCommand } from "../text/as-command.ts";
import { quoted } from "../text/service-words.ts";

/** The code of a duplicate import of a supply point (INTERFACE 4.6 and 7.3). */
const alreadyImported = "supply_point_import_process_already_imported";

/**
 * Documented codes (INTERFACE 4.2 and 7.1 to 7.5). None of them is about the status of the
 * supplier.
 */
const knownCodes: ReadonlySet<string> = new Set([
  "account_failed_validation",
  "invalid_phone_number",
  "not_found",
  "TRANSACTION_IMPORT_ERROR",
]);

/** The target of the rejected request, and the profile that a command has to name. */
interface Rejected {
  readonly profile?: string | undefined;
  readonly subject?: { readonly supplier: string; readonly id?: string | undefined } | undefined;
}

/**
 * Returns the remedy for a rejection that a corrected input would not change, or null for any other
 * rejection. INTERFACE 7.6 does not document the error for a supplier that is Paused or Complete.
 * Therefore the text of a response is searched for these words if it has no field and no documented
 * code. The remedy is only a guess, because the text can change.
 */
export function rejectionRemedy(error: ServiceError, context: Rejected): string | null {
  const { code = "", detail = "", errors = [], supplyPointIdentifier } = error.facts;
  if (code === alreadyImported) {
    const supplier = context.subject?.supplier;
    const id = supplyPointIdentifier ?? context.subject?.id;
    const status =
      supplier === undefined || id === undefined
        ? null
        : asCommand({ kind: "supply-point-status", supplier, id }, context.profile ?? null);
    const show = status === null ? "" : `: \`${quoted(status)}\` shows its import`;
    return `This supply point already has an import process${show}.`;
  }
  if (errors.some(({ attr }) => attr !== null) || knownCodes.has(code)) return null;
  const words = `${code.replaceAll("_", " ")} ${detail}`;
  if (!/supplier|migration/i.test(words)) return null;
  if (/\bpaused\b/i.test(words)) {
    return "The import supplier might be paused. The operator of the platform can resume it; then send it again.";
  }
  return /\b(?:complete|completed|finished)\b/i.test(words)
    ? "The migrations of this import supplier might be complete. Ask the operator of the platform."
    : null;
}
