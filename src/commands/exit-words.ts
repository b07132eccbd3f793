import { type ExitCode, exitCode } from "./exit-codes.ts";

/** What an exit code means, in the few words that a line of help has room for. */
const exitWords: Readonly<Record<ExitCode, string>> = {
  [exitCode.done]: "done",
  [exitCode.fault]: "a fault of the program",
  [exitCode.usage]: "usage, nothing sent",
  [exitCode.credentials]: "credentials",
  [exitCode.rejected]: "rejected",
  [exitCode.notFound]: "not found",
  [exitCode.unavailable]: "unavailable, no effect",
  [exitCode.unknownOutcome]: "OUTCOME UNKNOWN",
  [exitCode.watchTimedOut]: "timed out",
  [exitCode.otherFinalState]: "another final state",
  [exitCode.conditionMet]: "condition met",
  [exitCode.hangUp]: "terminal gone",
  [exitCode.interrupted]: "interrupted",
};

const local = [0, 2] as const;
const read = [0, 2, 3, 5, 6, 130] as const;
const watch = [0, 2, 3, 5, 6, 8, 9, 130] as const;
const write = [0, 2, 3, 4, 5, 6, 7, 130] as const;

/** How each command can end, faults of the program aside. */
export const exitsOf: Readonly<Record<string, readonly ExitCode[]>> = {
  open: [0, 2, 3, 129, 130],
  "accounts list": read,
  "accounts status": read,
  "accounts watch": watch,
  "supply-points validate": [0, 2, 3, 4, 5, 6, 130],
  "supply-points create": write,
  "supply-points status": read,
  "supply-points watch": watch,
  "notes create": write,
  "transactions create": write,
  "statements create": write,
  "payment-instructions create": write,
  "bulk run": write,
  "bulk resume": write,
  "bulk report": write,
  "bulk list": local,
  "bulk discard": [0, 2, 5],
  "activity list": local,
  "activity show": [0, 2, 5],
  "activity verify": write,
  "activity resend": write,
  "activity close": [0, 2, 5],
  "activity export": local,
  "activity purge": [0, 2, 130],
  "profiles list": local,
  "profiles show": local,
  "profiles add": local,
  "profiles edit": local,
  "profiles use": local,
  "profiles remove": local,
  "suppliers add": [0, 2, 3],
  "suppliers remove": [0, 2, 3],
  login: [0, 2, 3, 6, 130],
  logout: local,
  whoami: [0, 2, 3],
  doctor: [0, 2, 3, 6, 130],
  sandbox: local,
  schema: local,
  completion: local,
};

/** No line of it is wider than a small terminal. */
const width = 78;

/** Those that any command can end with. */
const used: readonly ExitCode[] = [
  ...new Set([exitCode.fault, ...Object.values(exitsOf).flat()]),
].toSorted((one, other) => one - other);

/** The end of a command's help: how it can end. Of the program itself (`""`): every code in use. */
export function exitHelp(path: string): string {
  const codes = path === "" ? used : exitsOf[path];
  if (codes === undefined) return "";
  const lines: string[] = [];
  for (const words of codes.map((code) => `${code} ${exitWords[code]}`)) {
    const last = lines.at(-1);
    if (last === undefined || `${last}; ${words}`.length > width) lines.push(`  ${words}`);
    else lines[lines.length - 1] = `${last}; ${words}`;
  }
  return ["", "Exit codes:", ...lines].join("\n");
}
