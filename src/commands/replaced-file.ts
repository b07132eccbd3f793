import { replaceFile } from "../settings/new-file.ts";
import { CommandError } from "./command-error.ts";
import type { Invocation } from "./invocation.ts";

/** What some work prints, as one text; nothing of it reaches stdout. */
export async function textOf(
  invocation: Invocation,
  print: (invocation: Invocation) => Promise<void>,
): Promise<string> {
  let text = "";
  const add = (more: string) => {
    text += more;
  };
  const out = {
    write: async (more: string) => add(more),
    line: async (more: string) => add(`${more}\n`),
    close: add,
  };
  await print({ ...invocation, out });
  return text;
}

/**
 * Replaces a file that an option names, at once and as a whole: who reads it sees the old one or the
 * new one. Throws `usage` where it cannot be made, `output` where it cannot be written.
 */
export async function replaceOutput(
  { io }: Invocation,
  option: string,
  path: string,
  text: string,
): Promise<void> {
  try {
    await replaceFile(path, text, io.signal);
  } catch (error) {
    io.signal.throwIfAborted();
    if (!(error instanceof Error && "code" in error)) throw error;
    const isFull = ["ENOSPC", "EDQUOT", "EIO"].includes(String(error.code));
    throw new CommandError(
      isFull ? "output" : "usage",
      `${option} ${path}: it cannot be written (${error.code})`,
      "The file is as it was.",
    );
  }
}
