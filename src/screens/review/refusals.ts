import type { ServiceError } from "../../api/errors.ts";
import { placeServiceIssues } from "../../forms/service-errors.ts";
import type { Plan } from "../../session/write-plan.ts";
import type { SavedDraft } from "../../settings/saved-drafts.ts";
import type { WriteResult } from "../../writes/submit.ts";

export type Refusal = SavedDraft["refusals"][number];

/**
 * Where a form has to be fixed after a 400 (INTERFACE 7.1–7.3) or a 404. What is about no field of
 * the form has an empty path and stands above it.
 */
export function refusalsOf({ form, body }: Plan, error: ServiceError): readonly Refusal[] {
  if (error.kind === "not-found") return [{ path: [], message: notImported }];
  const { placed, above } = placeServiceIssues(form, body, error.facts);
  const general = above.map(({ code, detail }) => ({
    path: [],
    message: code === null ? detail : `${detail} (${code})`,
  }));
  const fields = placed.map(({ path, message }) => ({ path, message }));
  if (fields.length + general.length > 0) return [...general, ...fields];
  return [
    { path: [], message: `${error.message} It does not say why; the raw answer has all there is.` },
  ];
}

/**
 * The refusals of a write that has ended; none when it was not refused. One that is unknown as a
 * whole may have been refused in part.
 */
export function refusalsOfResult(plan: Plan, result: WriteResult): readonly Refusal[] {
  const { outcome, error } = result;
  if (error === null || (outcome !== "rejected" && outcome !== "unknown")) return [];
  const refused = error.kind === "rejected" || error.kind === "not-found";
  return refused ? refusalsOf(plan, error) : [];
}

const notImported =
  "The service has no such imported account (404): it might be staged and not imported yet, or the supplier code or number is wrong.";
