/** Creates and checks the body of a write from command-line options. */

import type { Form } from "../../forms/fields.ts";
import type { FormValues } from "../../forms/form-values.ts";
import { validateValues } from "../../forms/validate.ts";
import type { Path } from "../../json/exact.ts";
import { localZone } from "../../text/dates.ts";
import type { Invocation } from "../invocation.ts";
import { type CheckedBody, checkedBody } from "./checked-body.ts";

/** The account that the command line names. */
export interface Account {
  readonly supplier: string;
  readonly account: string;
}

/**
 * Returns the body that the options describe, with exact dates. `optionAt` names the option of a
 * field. Throws `invalid-input` with every problem.
 */
export function bodyFromOptions(
  invocation: Invocation,
  form: Form,
  { supplier, account }: Account,
  values: FormValues,
  optionAt: (path: Path) => string | null,
  allowMissing = false,
): CheckedBody {
  const given = { import_supplier: supplier, external_account_number: account, ...values };
  const timeZone = localZone();
  const typedAt = { now: invocation.io.clock.now(), timeZone };
  const validation = validateValues(form, given, typedAt, { allowMissing });
  return checkedBody(invocation, form, validation, {
    name: "the command line",
    placeAt: (path) => ({ file: optionAt(path) ?? "", line: null, column: null }),
  });
}
