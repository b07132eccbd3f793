import type { ServiceError } from "../api/errors.ts";
import { asCommand } from "./as-command.ts";
import { quoted } from "./service-words.ts";

/** INTERFACE 4.6 and 7.3. */
const alreadyImported = "supply_point_import_process_already_imported";

/** Whom the rejected request was for, and the profile that a command has to name. */
interface Rejected {
  readonly profile?: string | undefined;
  readonly subject?: { readonly supplier: string; readonly id?: string | undefined } | undefined;
}

/**
 * What helps after a rejection that correcting the input does not help; null for any other. The
 * interface shows neither code nor shape for a supplier that is Paused or Complete (INTERFACE 7.6),
 * so the service's words are searched for these: what is not recognized gets the general remedy.
 */
export function rejectionRemedy(error: ServiceError, context: Rejected): string | null {
  const { code = "", detail = "", supplyPointIdentifier } = error.facts;
  if (code === alreadyImported) {
    const supplier = context.subject?.supplier;
    const id = supplyPointIdentifier ?? context.subject?.id;
    const status =
      supplier === undefined || id === undefined
        ? null
        : asCommand({ kind: "supply-point-status", supplier, id }, context.profile ?? null);
    const show = status === null ? "" : `: \`${quoted(status)}\` shows its import`;
    return `This supply point already has an import${show}.`;
  }
  const words = `${code.replaceAll("_", " ")} ${detail}`;
  if (!/supplier|migration/i.test(words)) return null;
  if (/\bpaused\b/i.test(words)) {
    return "The import supplier is paused: the operator of the platform resumes it. Then send it again.";
  }
  return /\b(?:complete|completed|finished)\b/i.test(words)
    ? "The migrations of this import supplier are complete: no more accounts are expected. Ask the operator of the platform."
    : null;
}
