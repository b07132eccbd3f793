import type { FiguresRow } from "./figures.ts";

/** One gauge of the exposition format. */
interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Null where it is not known: then there is no sample. */
  value(row: FiguresRow): number | null;
}

const gauges: readonly Gauge[] = [
  gauge("imported_accounts", "Imported accounts.", "imported"),
  gauge("pending_accounts", "Accounts that are staged only.", "pending"),
  gauge("total_accounts", "Accounts on the list.", "total"),
  gauge("gone_accounts", "Accounts that left the list without being imported.", "gone"),
  gauge("rate_per_hour", "Accounts imported in the last hour.", "rate_per_hour"),
  gauge(
    "pending_over_a_day_accounts",
    "Accounts that are pending for more than a day.",
    "pending_over_a_day",
  ),
  gauge("unknown_writes", "Entries of the journal whose outcome is unknown.", "unknown_writes"),
  time(
    "oldest_pending_since",
    "When the account that has been pending longest was first seen.",
    "oldest_pending_since",
  ),
  time("finish_from", "The earliest time at which all accounts can be imported.", "finish_from"),
  time("finish_to", "The latest time at which all accounts can be imported.", "finish_to"),
  time("listed_at", "When the list was requested.", "listed_at"),
];

type NumberKey = {
  [K in keyof FiguresRow]: FiguresRow[K] extends number | null ? K : never;
}[keyof FiguresRow];

function gauge(name: string, help: string, key: NumberKey): Gauge {
  return { name: `supplyline_${name}`, help, value: (row) => row[key] };
}

type TimeKey = "oldest_pending_since" | "finish_from" | "finish_to" | "listed_at";

/** A time in seconds since 1970, as Prometheus has them. */
function time(name: string, help: string, key: TimeKey): Gauge {
  return {
    name: `supplyline_${name}_timestamp_seconds`,
    help,
    value: (row) => {
      const at = row[key];
      return at === null ? null : Date.parse(at) / 1_000;
    },
  };
}

/** The figures of suppliers in the text format of Prometheus; a gauge without samples is left out. */
export function expositionOf(rows: readonly FiguresRow[]): string {
  return gauges
    .map(({ name, help, value }) => {
      const samples = rows.flatMap((row) => {
        const known = value(row);
        const label = labelValue(row.import_supplier);
        return known === null ? [] : [`${name}{import_supplier="${label}"} ${known}\n`];
      });
      if (samples.length === 0) return "";
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${samples.join("")}`;
    })
    .join("");
}

/** Backslash, quote and line feed are the three characters that the format escapes. */
function labelValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
