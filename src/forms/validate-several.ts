/** Validates the values of a form that is sent for several accounts. */
import { memberText } from "../json/exact.ts";
import type { InputTime } from "../text/loose-dates.ts";
import type { Form } from "./fields.ts";
import { type FormValues, isValueRows } from "./form-values.ts";
import type { Issue, Validation } from "./issue.ts";
import { fillText, placeholderIssues } from "./placeholders.ts";
import { byPlaceIn } from "./places.ts";
import { type ValidateOptions, validateValues } from "./validate.ts";

/**
 * Validates the values for several accounts at once, with their placeholders. The placeholders stay
 * in the result. Throws RangeError for an unknown time zone.
 */
export function validateForSeveral(
  form: Form,
  values: FormValues,
  typedAt: InputTime,
  options: Pick<ValidateOptions, "allowMissing"> = {},
): Validation {
  const checked = validateValues(form, values, typedAt, options);
  const slips = placeholderIssues(form, values);
  const warnings = [...checked.warnings, ...sameForAll(values)];
  if (checked.ok && slips.length === 0) return { ...checked, warnings };
  const compare = byPlaceIn(form);
  const issues = [...(checked.ok ? [] : checked.issues), ...slips];
  return { ok: false, issues: issues.sort((a, b) => compare(a.path, b.path)), warnings };
}

/**
 * Reports a fixed transaction ID. A transaction is identified by its ID: the same ID for all
 * accounts might be taken for one transaction.
 */
function sameForAll({ transactions }: FormValues): readonly Issue[] {
  if (!isValueRows(transactions)) return [];
  return transactions.flatMap((row, at): readonly Issue[] => {
    const id = memberText(row, "transaction_id") ?? "";
    const own = { import_supplier: "", external_account_number: "\0" };
    if (id.trim() === "" || fillText(id, own).includes("\0")) return [];
    return [
      {
        path: ["transactions", at, "transaction_id"],
        message: "The same ID for every account: add {external_account_number} to make it unique.",
      },
    ];
  });
}
