import { payloadFor, type Template } from "../../bulk/for-accounts.ts";
import { forms } from "../../forms/forms.ts";
import { isJsonArray, isJsonObject, memberOf } from "../../json/value.ts";
import { isArgument, shellQuote } from "../../text/shell-quote.ts";

/** More rows than this belong in a file, not on a command line. */
export const mostRows = 200;

/**
 * The `supplyline` command that sends the template to these accounts: a bulk run whose rows are given
 * to its standard input, a line of JSON for each note or transaction. Null where a command cannot say
 * it: a row that cannot be an argument, or an option that a run's rows do not have.
 */
export function markedCommand(
  template: Template,
  accounts: Iterable<string>,
  profile: string | null,
): string | null {
  const { kind, importSupplier, query, allowMissing } = template;
  if (Object.values(query).includes("false")) return null;
  const rows: string[] = [];
  for (const account of accounts) {
    const checked = payloadFor(template, account);
    if (!checked.ok) return null;
    const items = memberOf(checked.body, forms[kind].itemsField ?? kind);
    for (const item of isJsonArray(items) ? items : []) {
      if (!isJsonObject(item)) return null;
      const target = { import_supplier: importSupplier, external_account_number: account };
      rows.push(JSON.stringify({ ...target, ...item }));
    }
  }
  const input = `${rows.join("\n")}\n`;
  if (![input, profile ?? ""].every(isArgument)) return null;
  const flag = profile === null ? "" : ` --profile ${shellQuote(profile)}`;
  return `printf %s ${shellQuote(input)} | supplyline bulk run ${kind} --from -${allowMissing ? " --allow-missing" : ""}${flag}`;
}
