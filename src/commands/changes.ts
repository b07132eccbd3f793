import type { Command } from "commander";
import { formatInstant, localZone } from "../text/dates.ts";
import { spanStart } from "../text/time-bounds.ts";
import { changeFields } from "../triage/observations/words.ts";
import { usageError } from "./command-error.ts";
import { withObservations } from "./observing.ts";
import { supplierArgument } from "./option-values.ts";
import { writePages, writerFor } from "./rows/print.ts";
import type { Verb } from "./verb.ts";

const fields = Object.values(changeFields);

export const verb: Verb = {
  declare: (command: Command) =>
    command
      .argument(...supplierArgument)
      .option(
        "--since <time>",
        "only changes since this time: 24h (ago), yesterday, 2026-11-20 (default: all of the last 90 days)",
      ),
  columns: fields,
  async run(invocation, supplier: string, { since }: { readonly since?: string }) {
    const from = since === undefined ? null : startOf("--since", since, invocation.io.clock.now());
    await withObservations(invocation, async ({ observations }) => {
      const { out } = invocation;
      const summary = await observations.summary(supplier, 0);
      const pages = summary === null ? [] : observations.changePages(supplier, from);
      const printed = await writePages(writerFor(invocation, fields), pages, out);
      if (printed > 0) return;
      invocation.notice(noneWords(supplier, from, summary?.historySince ?? null));
    });
  },
  exits: [0, 1, 2, 3],
  examples: [
    "supplyline changes ACME --since 24h",
    "supplyline changes ACME --since yesterday --format csv > changes.csv",
    "supplyline changes ACME --json --columns external_account_number,change",
  ],
};

/**
 * Returns the notice for no change since `from`. `firstAt` is the time of the first observed list,
 * or null if there is none.
 */
function noneWords(supplier: string, from: number | null, firstAt: number | null): string {
  if (firstAt === null)
    return `No list of ${supplier} was observed yet: \`supplyline accounts list ${supplier}\` is the first.`;
  const none = `No change of ${supplier} was observed`;
  if (from === null) return `${none}.`;
  if (from >= firstAt) return `${none} since then.`;
  return `${none} since the first list in this state folder, of ${formatInstant(firstAt, { utc: true, seconds: false })} UTC.`;
}

/**
 * Returns the start of a typed time in epoch milliseconds. Throws `usage` for a text that is no
 * time, and for a time in the future.
 */
export function startOf(flag: string, typed: string, now: number): number {
  const start = spanStart(typed, { now, timeZone: localZone() });
  const given = `${flag} ${JSON.stringify(typed)}`;
  if (!start.ok) throw usageError(`${given} is no time`, start.message);
  if (start.ms > now) throw usageError(`${given} is in the future`, "Name a time before now.");
  return start.ms;
}
