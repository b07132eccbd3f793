/**
 * Remembers the position of a journal outside its folder, so that an older copy of the journal is
 * recognized. The position is the number of attempts that were ever begun.
 */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../files/private.ts";

const fileBytes = 64;
const positionBytes = 16;
/**
 * The number of records. Each process writes one of them with a single call, so that processes do
 * not overwrite each other's positions, and a killed process leaves no partial record.
 */
const records = 254;

/**
 * Opens the memory of a journal in the config folder. Creates both if they are missing. Throws a
 * settings error or the system's error.
 */
export function openPositionMemory(configDir: string, journalId: string, pid: number) {
  const folder = join(configDir, "journals");
  makePrivateFolder(configDir);
  makePrivateFolder(folder);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(join(folder, journalId), flags, 0o600);
  const write = (text: string, at: number) => void writeSync(descriptor, text, at, "latin1");
  return {
    /** Returns the position, and the identity of the file, or null if none is remembered. */
    read() {
      const bytes = Buffer.alloc(
        Math.min(fstatSync(descriptor).size, fileBytes + records * positionBytes),
      );
      readSync(descriptor, bytes, 0, bytes.length, 0);
      const text = bytes.toString("latin1");
      let position = 0;
      for (let at = fileBytes; at < text.length; at += positionBytes)
        position = Math.max(position, numberIn(text.slice(at, at + positionBytes)) ?? 0);
      const file = /^ *(\d+ \d+)\n/.exec(text)?.[1] ?? null;
      return { position, file };
    },
    /** Remembers a position. Throws the system's error. */
    remember(position: number) {
      const record = `${position}\n`.padStart(positionBytes);
      write(record, fileBytes + (pid % records) * positionBytes);
    },
    /** Remembers the file of the journal. Throws the system's error. */
    rememberFile: (identity: string) => write(`${identity}\n`.padStart(fileBytes), 0),
    close() {
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}

export type PositionMemory = ReturnType<typeof openPositionMemory>;

function numberIn(record: string): number | null {
  return /^ *\d+\n$/.test(record) ? Number(record) : null;
}
