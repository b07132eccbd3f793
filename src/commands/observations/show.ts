import { AppError } from "../../errors/app-error.ts";
import { asCommand } from "../../text/as-command.ts";
import { utcInstant, utcInstantOrNull } from "../../text/dates.ts";
import { type Field, fieldsOf } from "../../text/fields.ts";
import type { ObservedSummary, SharedHistory } from "../../triage/observations/observations.ts";
import { storedFields } from "../../triage/observations/words.ts";
import { exitCode } from "../exit-codes.ts";
import { withObservations } from "../observing.ts";
import { supplierArgument } from "../option-values.ts";
import { type Column, utcText } from "../rows/columns.ts";
import { printRow } from "../rows/print.ts";
import type { Verb } from "../verb.ts";

interface Shown extends ObservedSummary, Partial<SharedHistory> {
  readonly supplier: string;
  readonly origin: string;
}

const { supplier, origin, observations, firstAt, lastAt } = storedFields;
const field = fieldsOf<Shown>();

const like = (
  { name, title, type, meaning }: Field<never, string, unknown>,
  value: (shown: Shown) => unknown,
) => field([name, title], type, meaning, value);

const lastDay = (name: string, title: string, words: string, of: keyof Shown["lastDay"]) =>
  field(
    [name, `${title} in 24 h`],
    "number",
    `Changes of the last 24 hours: ${words}.`,
    (shown) => shown.lastDay[of],
  );

const columns: readonly Column<Shown>[] = [
  like(supplier, (of) => of.supplier),
  like(origin, (of) => of.origin),
  like(observations, (of) => of.observations),
  like(firstAt, (of) => utcInstant(of.historySince)),
  like(lastAt, (of) => utcInstant(of.at)),
  field("imported", "number", "Imported accounts of the last list.", (of) => of.imported),
  field("pending", "number", "Pending accounts of the last list.", (of) => of.pending),
  field("gone", "number", "Accounts that were pending and left the list.", (of) => of.gone),
  field(
    "oldest_pending_since",
    `${utcText}, or null`,
    "The start of the oldest pending state; null if no account is pending.",
    ({ oldestPendingSince }) => utcInstantOrNull(oldestPendingSince),
  ),
  field(
    "pending_over_a_day",
    "number",
    "Accounts that are pending for more than a day.",
    (of) => of.pendingOverADay,
  ),
  lastDay("staged", "Staged", "accounts staged", "staged"),
  lastDay("newly_imported", "Imported", "accounts imported", "imported"),
  lastDay("newly_gone", "Gone", "accounts gone", "gone"),
  lastDay("returned", "Returned", "accounts listed again", "returned"),
  lastDay("renumbered", "Renumbered", "other service account numbers", "renumbered"),
  lastDay("removed", "Removed", "imported accounts that left the list", "removed"),
  field(
    ["held_back_at", "List held back at"],
    `${utcText}, or null`,
    "The time at which the list that is held back was requested.",
    ({ heldBack }) => utcInstantOrNull(heldBack?.at ?? null),
  ),
  field(
    ["held_back_accounts", "Accounts of that list"],
    "number or null",
    "The number of accounts of that list.",
    ({ heldBack }) => heldBack?.now ?? null,
  ),
];

export const sharedColumns: readonly Column<Shown>[] = [
  field(
    "machines",
    "number",
    "With a team: machines whose lists are in the history.",
    (of) => of.machines,
  ),
  field(
    ["machine", "Last list by machine"],
    "text",
    "With a team: the machine of the last list that the team has, as it says.",
    (of) => of.machine,
  ),
  field(
    ["person", "Last list by"],
    "text",
    "With a team: the person of that list, as the machine says.",
    (of) => of.person,
  ),
  field(
    ["unpublished", "Not published"],
    "number",
    "With a team: lists of this machine that the team does not have yet.",
    (of) => of.unpublished,
  ),
  field(
    "left_out",
    "number",
    "With a team: lists of this machine that were recorded while the database was away, and are left out because colleagues have recorded later ones.",
    (of) => of.dropped,
  ),
];

export const verb: Verb = {
  description: "figures of the last observation of a supplier; nothing is requested",
  declare: (command) => command.argument(...supplierArgument),
  columns,
  columnsWith: () => [...columns, ...sharedColumns],
  async run(invocation, supplier: string) {
    const { io, globals } = invocation;
    return withObservations(invocation, async ({ observations }, target) => {
      const summary = await observations.summary(supplier, io.clock.now());
      if (!summary)
        throw new AppError(
          "command",
          "not-found",
          `no list of ${supplier} was observed at ${target.service.baseUrl}`,
          { remedy: "`supplyline observations list` shows what is stored." },
        );
      const shared = await observations.shared(supplier);
      await printRow(invocation, shared === null ? columns : [...columns, ...sharedColumns], {
        ...summary,
        ...shared,
        supplier,
        origin: target.service.baseUrl,
      });
      if (summary.heldBack !== null)
        invocation.notice(
          `A list is held back. If it is right: ${asCommand({ kind: "observations-confirm", supplier }, globals.profile ?? null)}`,
        );
      return exitCode.done;
    });
  },
  exits: [0, 1, 2, 3, 5],
  examples: ["supplyline observations show ACME", "supplyline observations show ACME --json"],
};
