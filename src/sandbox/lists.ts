/** Builds the lists of accounts (INTERFACE 4.9–4.11) as JSON text, now and before the start. */

import type { Service } from "./service.ts";
import type { AccountWorld } from "./world/world.ts";

export type ListState = "all" | "pending" | "imported";

const rowsPerChunk = 1000;

/**
 * Streams a JSON array of list items for the accounts in `state` at the instant `at` (epoch ms),
 * limited to the first `maxRows`. Rows are created only when the reader requests them. A chunk
 * never ends inside a row.
 */
export function accountRows(
  world: AccountWorld,
  state: ListState,
  at: number,
  brand: string,
  maxRows = Number.POSITIVE_INFINITY,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const afterName = `,"${brand}_account_number":`;
  const pendingEnd = `${afterName}null,"account_created_at":null}`;
  let row = 0;
  let listed = 0;
  const isDone = (): boolean => row >= world.size || listed >= maxRows;

  const nextChunk = (): string => {
    let text = row === 0 ? "[" : "";
    let rowsInChunk = 0;
    while (!isDone() && rowsInChunk < rowsPerChunk) {
      const createdAt = world.createdAt(row, at);
      const isWanted = createdAt === undefined ? state !== "imported" : state !== "pending";
      if (isWanted && (world.isListed?.(row, at) ?? true)) {
        const name = `{"external_account_number":${quoted(world.externalNumber(row))}`;
        text += listed === 0 ? name : `,${name}`;
        text +=
          createdAt === undefined
            ? pendingEnd
            : `${afterName}"${world.serviceNumber(row, at)}","account_created_at":"${createdAt}"}`;
        listed += 1;
        rowsInChunk += 1;
      }
      row += 1;
    }
    return isDone() ? `${text}]` : text;
  };

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(encoder.encode(nextChunk()));
        if (isDone()) controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}

function quoted(externalNumber: string): string {
  return /^[\w-]*$/.test(externalNumber) ? `"${externalNumber}"` : JSON.stringify(externalNumber);
}

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
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the lists of all suppliers before the sandbox started, the oldest list of each supplier
 * first. The interface has no history, so a client knows an age only from the lists that it loaded
 * earlier. A sandbox that runs inside the client provides such lists, because the world is a
 * function of time. No request returns these lists.
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
