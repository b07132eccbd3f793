/** Reads and checks the body of a write from a JSON file. */

import type { Form } from "../../forms/fields.ts";
import { type Addressee, parseJson, validateJson } from "../../forms/parse-json.ts";
import type { Invocation } from "../invocation.ts";
import { readNamed } from "../read-input.ts";
import type { Account } from "./body-from-options.ts";
import { type CheckedBody, checkedBody } from "./checked-body.ts";

interface FileOptions {
  /**
   * The account that the command line names. The file can leave it out, but must not name another.
   */
  readonly account?: Account;
  readonly query?: Readonly<Record<string, string>>;
  readonly allowMissing?: boolean | undefined;
}

/**
 * Reads the body from a JSON file, or from standard input for `-`: the array of the command's
 * items, or the whole documented body. Throws `invalid-input` with every problem at its line and
 * column.
 */
export async function bodyFromFile(
  invocation: Invocation,
  form: Form,
  path: string,
  { account, query, allowMissing }: FileOptions = {},
): Promise<CheckedBody> {
  const { name, bytes } = await readNamed(invocation.io, path);
  const addressee: Addressee =
    account === undefined
      ? {}
      : { importSupplier: account.supplier, externalAccountNumber: account.account };
  const file = path === "-" ? "<stdin>" : path;
  const parsed = parseJson(form, bytes, addressee);
  return checkedBody(
    invocation,
    form,
    validateJson(form, bytes, addressee, { query, allowMissing }),
    {
      name,
      placeAt: (at) => {
        if (!parsed.ok) return { file, line: null, column: null };
        const { line = null, column = null } = parsed.locate({ path: at, message: "" });
        return { file, line, column };
      },
    },
  );
}
