/** The fields of a supplier's figures. */
import { utcInstant } from "../../text/dates.ts";
import { type FieldName, fieldsOf } from "../../text/fields.ts";
import { sharedFields } from "../../text/shared-fields.ts";
import type { SupplierFigures } from "./supplier-figures.ts";

export interface SupplierFacts {
  readonly supplier: string;
  readonly figures: SupplierFigures | null;
  /** The number of entries with an unknown outcome, or null if the journal is unreadable. */
  readonly unknown: number | null;
}

const field = fieldsOf<SupplierFacts>();

const figure = (
  named: FieldName<string>,
  meaning: string,
  of: (facts: SupplierFacts) => number | null | undefined,
) => field(named, "number or null", meaning, (facts) => of(facts) ?? null);

const time = (
  named: FieldName<string>,
  meaning: string,
  of: (facts: SupplierFacts) => number | null | undefined,
) =>
  field(named, "text, UTC, or null", meaning, (facts) => {
    const ms = of(facts);
    return ms == null ? null : utcInstant(ms);
  });

/** Returns the figures, or null if a list is held back: it might be wrong, so it has no rate. */
function trusted({ figures }: SupplierFacts): SupplierFigures | null {
  return figures?.history?.heldBack == null ? figures : null;
}

function finishAt(facts: SupplierFacts, end: "soonestMs" | "latestMs"): number | null {
  const figures = trusted(facts);
  return figures?.finish.kind === "range" ? figures.listedAt + figures.finish[end] : null;
}

export const figureFields = {
  supplier: field(...sharedFields.supplier, ({ supplier }) => supplier),
  imported: figure(
    "imported",
    "The number of imported accounts.",
    ({ figures }) => figures?.imported,
  ),
  pending: figure(
    "pending",
    "The number of accounts that are staged and not imported.",
    ({ figures }) => figures?.pending,
  ),
  total: figure("total", "The number of accounts on the list.", ({ figures }) => figures?.total),
  gone: figure(
    "gone",
    "Accounts that left the list without being imported; null while a list is held back. `suppliers show` verifies up to 200 of them.",
    ({ figures }) => figures?.history?.gone?.count,
  ),
  rate: figure(
    ["rate_per_hour", "Per hour"],
    "Accounts imported in the last hour; null if the stored lists, from which `suppliers list` answers, cover less than an hour.",
    (facts) => {
      const [hour] = trusted(facts)?.rates ?? [];
      return hour && Math.round(hour.perHour * 10) / 10;
    },
  ),
  finishFrom: time(
    "finish_from",
    "The earliest time at which all accounts can be imported; null without a forecast.",
    (facts) => finishAt(facts, "soonestMs"),
  ),
  finishTo: time("finish_to", "The latest time at which all accounts can be imported.", (facts) =>
    finishAt(facts, "latestMs"),
  ),
  oldest: time(
    "oldest_pending_since",
    "The time of the first observed list with the account that has been pending longest.",
    ({ figures }) => figures?.history?.oldestPendingSince,
  ),
  overADay: figure(
    ["pending_over_a_day", "Over a day"],
    "Accounts that are pending for more than a day.",
    ({ figures }) => figures?.history?.pendingOverADay,
  ),
  unknown: figure(
    ["unknown_writes", "Unknown"],
    "Entries of the journal with an unknown outcome; null if the journal cannot be read.",
    ({ unknown }) => unknown,
  ),
  listedAt: time(
    "listed_at",
    "The time at which the list was requested; null if no list was observed.",
    ({ figures }) => figures?.listedAt,
  ),
};
