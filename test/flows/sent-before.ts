/** Writes made by an earlier process, so that a console finds them in its journal. */
import { systemClock } from "../../src/api/clock.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { openWrites } from "../../src/writes/open-writes.ts";
import type { WriteResult } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import type { Folders } from "../helpers/folders.ts";
import { writeService } from "../writes/write-service.ts";
import { hurried, type request } from "../writes/writing.ts";

type Request = ReturnType<typeof request>;

/** One write, and the faults that it meets with. */
export interface Sent {
  readonly write: Request;
  readonly faults?: readonly string[];
}

/** Makes the writes one after another, without waiting between attempts. */
export async function sentBefore(
  service: Sandbox,
  folders: Folders,
  sent: readonly Sent[],
): Promise<readonly WriteResult[]> {
  const client = writeService(service.baseUrl, { apiKey: service.apiKey });
  const writes = await openWrites({
    folder: folders.state,
    service: client,
    profile: { name: "ad-hoc" },
    pid: process.pid,
    clock: systemClock,
  });
  const results: WriteResult[] = [];
  for (const { write, faults = [] } of sent) {
    service.setFaults(faults);
    results.push(await submit(writes.context, write, hurried().options));
  }
  service.setFaults([]);
  await writes.close();
  await client.close();
  return results;
}
