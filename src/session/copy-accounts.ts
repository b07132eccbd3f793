/** The key that copies the marked accounts of a list to the clipboard. */
import type { AccountListStore } from "../accounts/account-list.ts";
import type { AccountRowView } from "../accounts/account-list-snapshot.ts";
import { exportRows } from "../accounts/export.ts";
import type { Action } from "../keys/scopes.ts";
import { utcInstant } from "../text/dates.ts";
import { count, plural } from "../text/numbers.ts";
import type { App } from "./app.ts";

/**
 * The maximum number of copied rows. More rows do not fit into the limit of terminals (about 56 kB),
 * however short the numbers are.
 */
const maxCopied = 20_000;

/**
 * Returns the reason why this many marked rows cannot be copied, as a sentence, or null if they
 * can. `rows` is the word for several rows.
 */
export function copyLimitWords(marked: number, rows: string, key: App["key"]): string | null {
  if (marked <= maxCopied) return null;
  return `${count(marked)} marked ${rows} are too much for the terminal's clipboard. Press ${key("export")} to write a file.`;
}

const formats = ["lines", "tsv", "json"] as const;
type Format = (typeof formats)[number];

/**
 * Returns the key that copies the current row, or the numbers of the marked rows, one per line. The
 * palette also copies the marked rows as TSV and JSON. Either all marked rows are copied or none,
 * because half a list looks like a complete list.
 */
export function copyAccounts(
  { clipboard, notices, key }: Pick<App, "clipboard" | "notices" | "key">,
  store: AccountListStore,
  row: AccountRowView | null,
): Action {
  const { marks } = store.getSnapshot();
  const copyMarks = (format: Format) => {
    const problem = copyLimitWords(marks, "accounts", key);
    if (problem !== null) {
      notices.show(problem, "waiting");
      return;
    }
    const text =
      format === "lines"
        ? store.marks.externals().join("\n")
        : [...exportRows(store.marks.rows(), format)].join("");
    clipboard(text, `${plural(marks, "marked account")} as ${formatWords[format]}`);
  };
  return {
    ...(marks > 0 ? { label: "copy marked" } : {}),
    run: () => {
      if (marks > 0) copyMarks("lines");
      else if (row) {
        const since = utcInstant(row.pendingSince);
        const created = utcInstant(row.createdAt) || (row.created ?? "");
        const cells = [row.external, row.service ?? "", created];
        clipboard([...cells, ...(since === "" ? [] : [since])].join("\t"), "row");
      }
    },
    choices:
      marks === 0
        ? []
        : formats.map((format) => ({
            label: `copy marked as ${formatWords[format]}`,
            hint: `${plural(marks, "account")}, ${formatHints[format]}`,
            run: () => copyMarks(format),
          })),
  };
}

const formatWords: Readonly<Record<Format, string>> = { lines: "lines", tsv: "TSV", json: "JSON" };

const formatHints: Readonly<Record<Format, string>> = {
  lines: "one number per line",
  tsv: "for a spreadsheet, with a header row",
  json: "as listed by the service",
};
