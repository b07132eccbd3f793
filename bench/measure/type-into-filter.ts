import type { TimedTerminal } from "./terminal.ts";

/** After the count of what was found: of all, or of what memory has room for. */
const found = /\d match\b/;

/** Milliseconds from each key of a query until our screen says that it shows the result of it all. */
export async function typeIntoFilter(terminal: TimedTerminal, query: string): Promise<number[]> {
  terminal.send("/");
  await terminal.until(/^\[All\b.* \/ /m);
  const times: number[] = [];
  for (let length = 1; length <= query.length; length++) {
    const text = query.slice(0, length);
    const shown = `  / ${text}`;
    const at = terminal.send(text.slice(-1));
    const settled = await terminal.until((screen) => {
      const typed = screen
        .split("\n")
        // The preview of an account stands behind the list.
        .map((line) => line.replace(/│.*/u, "").trimEnd())
        .some((line) => line.startsWith("[All") && line.endsWith(shown));
      return typed && !screen.includes("filtering…") && found.test(screen);
    });
    times.push(settled - at);
  }
  terminal.send("\x1b");
  await terminal.until((screen) => !found.test(screen) && !screen.includes("filtering…"));
  return times;
}
