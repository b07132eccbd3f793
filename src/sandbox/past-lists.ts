/**
 * Builds the lists from before the sandbox started. The interface has no history, so a client knows
 * an age only from the lists that it loaded earlier. A sandbox that runs inside the client can
 * provide such lists, because the world is a function of time. No request returns them.
 */
import type { Service } from "./service.ts";
import { accountRows } from "./world/rows.ts";

/**
 * Hours before the start at which lists exist, by the supplier's status. The first list is less
 * than a week old, because a week without imports causes an alarm. A supplier that is not ongoing
 * changes little, so two lists are enough.
 */
const hoursBefore = {
  Ongoing: [150, 30, 0.5],
  Paused: [150, 0.5],
  Complete: [150, 0.5],
} as const;

/** The list of all accounts of a supplier (INTERFACE 4.9) as it was at an instant, in epoch ms. */
export interface PastList {
  readonly supplier: string;
  readonly at: number;
  /** The body of the response, JSON. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the lists of all suppliers before the sandbox started, the oldest list of each supplier
 * first.
 */
export function pastLists({ suppliers, clock, brand }: Service): Promise<readonly PastList[]> {
  const lists = [...suppliers.values()].flatMap(({ code, status, accounts }) =>
    hoursBefore[status].map(async (hours) => {
      const at = clock.epoch - hours * 3_600_000;
      const response = new Response(accountRows(accounts, "all", at, brand));
      return { supplier: code, at, body: new Uint8Array(await response.arrayBuffer()) };
    }),
  );
  return Promise.all(lists);
}
