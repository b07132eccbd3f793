import { TimedTerminal } from "./terminal.ts";

/** fzf is idle after this long: while it searches many rows it redraws its progress more often. */
const restMs = (rows: number) => (rows > 10_000 ? 700 : 100);

/** fzf in a terminal of 200×50 on a file of rows, all of them read. */
export async function openFzf(
  path: string,
  args: readonly string[],
  rows: { readonly path: string; readonly count: number },
  env: Record<string, string>,
): Promise<TimedTerminal> {
  const script = 'exec "$0" "$@" < "$ROWS"';
  const terminal = new TimedTerminal("sh", ["-c", script, path, "--no-color", ...args], {
    env: { ...env, ROWS: rows.path },
  });
  await terminal.until((screen) => screen.includes(`${rows.count}/${rows.count}`));
  await terminal.settled(restMs(rows.count));
  return terminal;
}

/** Milliseconds from each key of a query until nothing on the screen changes any more. */
export async function typeIntoFzf(
  terminal: TimedTerminal,
  query: string,
  rows: number,
): Promise<number[]> {
  const times: number[] = [];
  for (const key of query) {
    const at = terminal.send(key);
    times.push((await terminal.settled(restMs(rows))) - at);
  }
  return times;
}
