import type * as z from "zod";
import { cautionsOf } from "./cautions.ts";
import { inDocumentedOrder } from "./documented-order.ts";
import type { DraftObject } from "./draft.ts";
import { onTheWire } from "./envelope.ts";
import type { Form, FormKind } from "./fields.ts";
import { forms } from "./forms.ts";
import { fromDraft } from "./from-draft.ts";
import type { Issue, Validation } from "./issue.ts";
import type { Json, JsonObject } from "./json-value.ts";
import type { TypedAt } from "./loose-dates.ts";
import { byPlaceIn, pathText } from "./paths.ts";
import { schemaOf } from "./schema.ts";
import { undocumented } from "./undocumented.ts";

const schemas: Readonly<Record<FormKind, z.ZodType>> = {
  notes: schemaOf(forms.notes),
  transactions: schemaOf(forms.transactions),
  statements: schemaOf(forms.statements),
  "payment-instructions": schemaOf(forms["payment-instructions"]),
  "supply-points": schemaOf(forms["supply-points"]),
};

/**
 * Validates a body (without its outer `payload`) with the query parameters it goes with. All that
 * is wrong is told at once.
 */
export function validateBody(
  form: Form,
  body: Json,
  query: Readonly<Record<string, string>> = {},
): Validation {
  const value = inDocumentedOrder(form, body);
  const warnings = cautionsOf(form, value);
  const checked = schemas[form.kind].safeParse(value);
  if (!checked.success) {
    return {
      ok: false,
      issues: checked.error.issues.flatMap((one) => issuesOf(form, one)),
      warnings,
    };
  }
  // The schema has seen an object with the documented fields only.
  return { ok: true, body: onTheWire(form, value as JsonObject), query, warnings };
}

/** Validates what was typed into a form. Throws RangeError for an unknown time zone. */
export function validateDraft(form: Form, values: DraftObject, typedAt: TypedAt): Validation {
  const read = fromDraft(form, values, typedAt);
  const checked = validateBody(form, read.body, read.query);
  const unreadable = new Set(read.issues.map(({ path }) => pathText(path)));
  const readable = ({ path }: Issue) => !unreadable.has(pathText(path));
  const warnings = [...read.warnings, ...checked.warnings.filter(readable)];
  if (checked.ok && read.issues.length === 0) return { ...checked, warnings };
  const others = checked.ok ? [] : checked.issues.filter(readable);
  const compare = byPlaceIn(form);
  const issues = [...read.issues, ...others].sort((a, b) => compare(a.path, b.path));
  return { ok: false, issues, warnings };
}

function issuesOf(form: Form, issue: z.core.$ZodIssue): readonly Issue[] {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => undocumented(form, path, name));
  }
  return [{ path, message: issue.message }];
}
