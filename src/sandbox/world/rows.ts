/** Streams the list answers (INTERFACE 4.9–4.11) as JSON text, a thousand rows at a time. */
import type { AccountWorld } from "./world.ts";

export type ListState = "all" | "pending" | "imported";

const rowsPerChunk = 1000;

/**
 * Streams a JSON array of list items for the accounts in `state` at the instant `at` (epoch ms),
 * limited to the first `maxRows`. Rows are created only when the reader requests them. Chunks end
 * at the end of a row.
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
    let taken = 0;
    while (!isDone() && taken < rowsPerChunk) {
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
        taken += 1;
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
