import type { ExitCode } from "../../src/commands/exit-codes.ts";
import { exitCode } from "../../src/commands/exit-codes.ts";
import { markdownTable } from "./markdown.ts";

interface Exit {
  readonly meaning: string;
  /** What a script should do next. */
  readonly next: string;
}

/** What every exit code means, for the manual page and the reference. */
const words: Readonly<Record<ExitCode, Exit>> = {
  [exitCode.done]: { meaning: "Done.", next: "Continue." },
  [exitCode.fault]: {
    meaning: "An internal error, or a disk that cannot be written.",
    next: "Stop. Free the disk, or report the error.",
  },
  [exitCode.usage]: {
    meaning: "A usage error or invalid input. Nothing was sent.",
    next: "Stop, and correct the command or the file.",
  },
  [exitCode.credentials]: {
    meaning: "No credentials, or the service refused them (401, 403).",
    next: "Stop, and sign in again.",
  },
  [exitCode.rejected]: {
    meaning: "The service rejected the request (400).",
    next: "Correct the row. The service rejects the same request again.",
  },
  [exitCode.notFound]: {
    meaning: "Not found (404).",
    next: "Check the supplier code and the number.",
  },
  [exitCode.unavailable]: {
    meaning: "No usable response after retries, and it is known that nothing took effect.",
    next: "Try again later.",
  },
  [exitCode.unknownOutcome]: {
    meaning: "A write whose outcome is unknown: it might have taken effect.",
    next: "Run `supplyline activity verify`. **Never just send it again.**",
  },
  [exitCode.watchTimedOut]: {
    meaning: "A watch timed out.",
    next: "Check the account.",
  },
  [exitCode.otherFinalState]: {
    meaning: "A watch ended in a final state other than the requested one.",
    next: "Check the account.",
  },
  [exitCode.conditionMet]: {
    meaning: "Differences were found, or a condition is met.",
    next: "Read the result.",
  },
  [exitCode.hangUp]: { meaning: "The terminal was closed.", next: "" },
  [exitCode.interrupted]: {
    meaning: "Interrupted, by Ctrl-C or SIGTERM.",
    next: "Run it again. For a bulk run, use `supplyline bulk resume`.",
  },
};

/** Those that some command ends with, ascending. */
export function exitMeanings(used: ReadonlySet<number>): readonly (readonly [number, Exit])[] {
  return Object.values(exitCode)
    .filter((code) => code === exitCode.fault || used.has(code))
    .toSorted((one, other) => one - other)
    .map((code) => [code, words[code]]);
}

/** The reference page of the exit codes. */
export function exitCodesPage(
  commands: readonly { readonly path: string; readonly exitCodes: readonly number[] }[],
): string {
  const used = new Set(commands.flatMap(({ exitCodes }) => exitCodes));
  const meanings = exitMeanings(used).map(([code, { meaning, next }]) => [
    `**${code}**`,
    meaning,
    next,
  ]);
  const byCommand = commands.map(({ path, exitCodes }) => [`\`${path}\``, exitCodes.join(", ")]);
  return `# Exit codes

Generated from the program (\`npm run reference\`). Scripts can rely on these numbers.

${markdownTable(["Code", "Meaning", "What to do"], meanings)}
**Never treat 7 as a failure.** The write might have taken effect, and sending it again could apply it twice.
[Automation](../how-to/automation.md#handle-an-unknown-outcome) has a shell function that handles it.

## Several results

A command with several results (statuses, a watch of several accounts, a bulk run) continues after a failure and ends
with the most severe code. The order, most severe first, is 130, 1, 2, 3, 7, 6, 4, 5, 9, 8, 10, 0.

- \`accounts watch\` returns 0 when each account reached the status, 9 when one ended in another state, and 8 when the
  time was up first.
- A bulk run returns 0 only if every row is confirmed, already existed, or was closed by hand. A run that you
  stopped returns 7 if an outcome is unknown, otherwise 130. \`bulk report\` returns the code of its run.
- \`activity verify\` returns 0 when the entry is confirmed and 7 when it is still unknown.

## By command

Any command can also end with 1.

${markdownTable(["Command", "Exit codes"], byCommand)}`;
}
