import { programFor } from "../../src/commands/command-line.ts";

/** The reason why the program rejects a command line, or null if it accepts it. Nothing is carried out. */
export async function notUnderstood(words: readonly string[]): Promise<string | null> {
  const silent = { write: () => true, columns: 80 };
  const terminal = { version: "0.0.0", stdout: silent, stderr: silent };
  const program = await programFor(terminal, { run: async () => {} }, "all");
  try {
    await program.parseAsync([...words], { from: "user" });
    return null;
  } catch (thrown) {
    const asked = thrown instanceof Error && "exitCode" in thrown && thrown.exitCode === 0;
    // Help and version are shown by throwing, too.
    return asked ? null : String(thrown);
  }
}
