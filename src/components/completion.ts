/** Completes a typed text with Tab, in the palette and in a filter. */

/**
 * The result of Tab. The stem stays the same while more Tabs cycle through the names that begin
 * with it.
 */
export interface Completion {
  readonly text: string;
  readonly stem: string;
}

/**
 * Completes a typed text. The first Tab adds the common start of all names that begin with the
 * text. Each further Tab selects the next of these names (`step` -1: the previous name). Returns
 * null if no name begins with the text.
 */
export function completed(
  names: readonly string[],
  now: Completion,
  step: 1 | -1,
): Completion | null {
  const { text, stem } = now;
  const begins = (name: string) => name.toLowerCase().startsWith(stem.toLowerCase());
  const matching = [...new Set(names)].filter(begins);
  const [first] = matching;
  if (stem === "" || first === undefined) return null;
  const at = matching.indexOf(text);
  if (at < 0 || text === stem) {
    const shared = commonPrefix(matching);
    if (shared.length > text.length) return { text: shared, stem: shared };
  }
  const next = at < 0 ? (step > 0 ? 0 : matching.length - 1) : at + step;
  const name = matching[(next + matching.length) % matching.length] ?? first;
  return { text: name, stem };
}

function commonPrefix(names: readonly string[]): string {
  const [first = "", ...rest] = names;
  let length = first.length;
  for (const name of rest) {
    while (!name.toLowerCase().startsWith(first.slice(0, length).toLowerCase())) length -= 1;
  }
  return first.slice(0, length);
}
