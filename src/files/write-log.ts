/** Logs the files that the program writes for its user. Their content is not logged. */
import { log } from "../log/log.ts";
import { codeOf } from "../text/disk-words.ts";

/** Runs the writing of a file and logs its duration, with the number of bytes or the error. */
export async function logWriting(path: string, write: () => Promise<number>): Promise<number> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    const bytes = await write();
    log({ event: "file-written", path, bytes, ms: ms() });
    return bytes;
  } catch (error) {
    log({ event: "file-failed", path, code: codeOf(error), ms: ms() });
    throw error;
  }
}
