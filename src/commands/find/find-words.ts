/** Searches the words of a command line that names no command: `supplyline EXT-0000001`. */
import { conclusionOf } from "../../triage/find/found.ts";
import type { Invocation } from "../invocation.ts";
import { openConsoleAt } from "../open/open.ts";
import { identifierArguments } from "../option-values.ts";
import { isForPeople } from "../rows/print.ts";
import { searchNumbers } from "./find.ts";
import { printFound } from "./print-found.ts";

/**
 * Searches numbers as `find` does. At a terminal, a number that one supplier has opens the console at
 * its account. Returns the exit code.
 */
export async function findWords(invocation: Invocation, words: readonly string[]): Promise<number> {
  const { io, globals } = invocation;
  const numbers = words.reduce<string[]>((before, word) => identifierArguments(word, before), []);
  const opens = io.stdin.isTTY && io.stdout.isTTY && isForPeople(globals) && numbers.length === 1;
  const result = await searchNumbers(invocation, numbers, {}, async (searched) => {
    const { search, by } = searched;
    const conclusion = opens ? conclusionOf(search.found(0), by) : null;
    const [only, second] = conclusion?.kind === "found" ? conclusion.hits : [];
    if (only !== undefined && second === undefined) return only;
    return printFound(invocation, searched);
  });
  if (typeof result === "number") return result;
  const { supplier, number } = result;
  return openConsoleAt(invocation, { kind: "account", supplier, account: number });
}
