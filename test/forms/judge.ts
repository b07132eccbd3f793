import { type FormKind, forms } from "../../src/forms/forms.ts";
import { validateJson } from "../../src/forms/parse-json.ts";

/** Whom the command line names. */
export const account = { importSupplier: "ACME", externalAccountNumber: "EXT-1" };

/** Issues and warnings of a file, each as its path and words. */
export function judge(kind: FormKind, text: string) {
  const said = validateJson(forms[kind], text, account);
  const words = (issues: typeof said.warnings) =>
    issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  return { issues: said.ok ? [] : words(said.issues), warnings: words(said.warnings) };
}

/** JSON text of one sound item, with more fields. */
export const transaction = (fields = "") =>
  `[{"transaction_id":"T","transaction_date":"2026-11-01","amount":1.00,"type":"CHARGE"${fields}}]`;
export const statement = (fields: string) =>
  `[{"bill_period_from_date":"2026-09-01","bill_period_to_date":"2026-09-30","statement_id":"S","issued_date":"2026-10-02","number":"1","gross_amount":1${fields}}]`;
export const supplyPoint = (point: string, rest = "") =>
  `{"import_supplier":"ACME","supply_point":${point}${rest}}`;
