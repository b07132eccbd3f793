import { payloadFor, type Template } from "../../bulk/for-accounts.ts";
import { forms } from "../../forms/forms.ts";
import { isJsonArray, isJsonObject, memberOf } from "../../json/exact.ts";
import type { Session } from "../../session/open-session.ts";
import type { Overlay } from "../../session/overlays.ts";
import { urlOf } from "../../session/plan.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { commandLine } from "../../text/as-command.ts";
import { asCurl } from "../../text/as-curl.ts";
import { count } from "../../text/numbers.ts";
import { isArgument, shellQuote } from "../../text/shell-quote.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import type { Amounts } from "./marked-plan.ts";

/** More rows than this belong in a file, not on a command line. */
const mostRows = 200;

/** The template for these accounts as a command, and its first request as curl. */
export function markedAsCommand(
  template: Template,
  accounts: Iterable<string>,
  { rows, requests }: Amounts,
  { path, query, body }: PreparedWrite,
  session: Session,
): Overlay {
  const first = requests === 1 ? "" : `curl sends the first of ${count(requests)} requests. `;
  const file =
    rows > mostRows
      ? ` For this many rows use a file: supplyline bulk run ${template.kind} --from FILE, one row for each.`
      : "";
  const command =
    rows > mostRows ? null : commandOf(template, accounts, profileFlag(session.profile));
  const url = urlOf(session.baseUrl, path, query);
  const request = { method: "POST", url, body: new TextDecoder().decode(body) } as const;
  return {
    kind: "as-command",
    command,
    curl: asCurl(request, session.authForm()),
    note: `${first}curl keeps no journal and resends nothing.${file}`,
  };
}

/**
 * Returns a bulk run whose rows are passed to its standard input, one line of JSON for each note or
 * transaction. Returns null if a command cannot express it: a row that cannot be an argument, or an
 * option that a run's rows do not have.
 */
function commandOf(
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
  const line = commandLine(
    {
      words: ["bulk", "run", kind],
      options: [["--from", "-"]],
      flags: allowMissing ? ["--allow-missing"] : [],
    },
    profile,
  );
  return line === null || !isArgument(input) ? null : `printf %s ${shellQuote(input)} | ${line}`;
}
