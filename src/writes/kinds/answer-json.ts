/** Looking into answers that need not look as documented. */
import { boundedCode } from "../../api/error-body.ts";
import { jsonOf } from "../../json/parse.ts";
import { isRecord } from "../../json/value.ts";

export function textAt(value: unknown, field: string): string | null {
  const found = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return typeof found === "string" ? found : null;
}

/** The machine-readable code of a refusal, wherever its shape carries one (INTERFACE 7.1, 7.3). */
export function codeOf(body: string): string | null {
  const answer = jsonOf(body);
  if (!isRecord(answer)) return null;
  const said = [answer.non_field_errors].flat()[0];
  const status = textAt(answer, "status");
  const code =
    textAt(said, "code") ??
    textAt(answer, "code") ??
    (status === importError ? status : null) ??
    textAt([answer.errors].flat()[0], "code");
  return code === null ? null : boundedCode(code);
}

/** INTERFACE 4.2, 400. */
export const importError = "TRANSACTION_IMPORT_ERROR";
