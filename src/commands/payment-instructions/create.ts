import { forms } from "../../forms/forms.ts";
import type { Invocation } from "../invocation.ts";
import { type Account, bodyFromOptions } from "../writes/body-from-options.ts";
import { makeWrite } from "../writes/make-write.ts";
import { type AllowMissingOption, againOf, type WriteOptions } from "../writes/write-options.ts";

export interface InstructionOptions extends WriteOptions, AllowMissingOption {
  readonly vendor?: string;
  readonly reference?: string;
  readonly type?: string;
}

/** Adds a payment instruction (INTERFACE 4.4). */
export async function createInstruction(
  invocation: Invocation,
  account: Account,
  options: InstructionOptions,
): Promise<number> {
  const again = againOf(options);
  const { vendor, reference, type, settle, dryRun, allowMissing } = options;
  const payload = bodyFromOptions(
    invocation,
    forms["payment-instructions"],
    account,
    {
      ...(vendor === undefined ? {} : { vendor }),
      ...(reference === undefined ? {} : { reference }),
      ...(type === undefined ? {} : { type }),
    },
    ([field]) => (field === undefined ? null : `--${field}`),
    allowMissing,
  );
  return makeWrite(invocation, {
    request: { operation: "payment-instructions create", body: payload.bytes },
    again,
    explain: payload.explain,
    settle,
    dryRun,
  });
}
