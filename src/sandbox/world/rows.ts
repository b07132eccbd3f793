/** The list answers (4.9–4.11) as a stream of JSON text, a thousand rows at a time. */
import type { AccountWorld } from "./world.ts";

export type ListState = "all" | "pending" | "imported";

const rowsPerChunk = 1000;

/**
 * A JSON array of list items for the accounts in `state` at the instant `at` (epoch ms). Rows are
 * made only as fast as the reader takes them, and no more once it has gone away. Chunks end at the
 * end of a row.
 */
export function accountRows(
  world: AccountWorld,
  state: ListState,
  at: number,
  brand: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const afterName = `,"${brand}_account_number":`;
  const pendingEnd = `${afterName}null,"account_created_at":null}`;
  let row = 0;
  let first = true;

  const nextChunk = (): string => {
    let text = row === 0 ? "[" : "";
    let taken = 0;
    while (row < world.size && taken < rowsPerChunk) {
      const createdAt = world.createdAt(row, at);
      if (createdAt === undefined ? state !== "imported" : state !== "pending") {
        const name = `{"external_account_number":${quoted(world.externalNumber(row))}`;
        text += first ? name : `,${name}`;
        text +=
          createdAt === undefined
            ? pendingEnd
            : `${afterName}"${world.serviceNumber(row)}","account_created_at":"${createdAt}"}`;
        first = false;
        taken += 1;
      }
      row += 1;
    }
    return row >= world.size ? `${text}]` : text;
  };

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(encoder.encode(nextChunk()));
        if (row >= world.size) controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}

function quoted(externalNumber: string): string {
  return /^[\w-]*$/.test(externalNumber) ? `"${externalNumber}"` : JSON.stringify(externalNumber);
}
