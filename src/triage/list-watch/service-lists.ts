/** Reads lists and statuses of a supplier for a watch. */
import type { Clock } from "../../api/clock.ts";
import type { Service } from "../../api/service.ts";
import { accountSighting } from "../../watch/watched.ts";
import { type Observations, type Recorded, seenIn } from "../observations/observations.ts";
import { readWholeList } from "../whole-list.ts";
import type { ListWatchOptions } from "./list-watch.ts";

interface ListsOptions {
  readonly supplier: string;
  readonly clock: Clock;
  /** The store that records each complete list, or null to record nothing. */
  readonly observations: Pick<Observations, "begin"> | null;
}

/**
 * Returns the functions that read lists and statuses of a supplier (INTERFACE 4.8–4.11). They do
 * not resend a request, because the next round comes soon and the pace would not count it.
 */
export function listsOf(
  { accounts }: Pick<Service, "accounts">,
  { supplier, clock, observations }: ListsOptions,
): Pick<ListWatchOptions, "list" | "lookUp"> {
  return {
    async *list(request, signal) {
      const paced: Pick<Service, "accounts"> = {
        accounts: {
          ...accounts,
          async list(code, state, options) {
            await request(options?.signal ?? signal);
            return accounts.list(code, state, { ...options, retries: 0 });
          },
        },
      };
      const end = yield* readWholeList(paced, supplier, {
        clock,
        signal,
        observations: observations ?? undefined,
      });
      return { rows: end.rows, trusted: trustedBy(await end.recorded?.catch(() => null)) };
    },
    async lookUp(number, signal) {
      const { value } = await accounts.status(supplier, number, { signal, retries: 0 });
      return accountSighting(value);
    },
  };
}

function trustedBy(recorded: Recorded | null | undefined): boolean | null {
  const seen = seenIn(recorded ?? null);
  if (seen?.kind === "recorded") return true;
  return seen?.kind === "held-back" ? false : null;
}
