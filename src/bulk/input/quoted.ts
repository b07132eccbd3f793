/** The most characters of a value that a message repeats. */
const longest = 60;

/** Text for a message, cut where it is long. It is still untrusted. */
export function clipped(text: string): string {
  // Twice as many units hold all the characters that can be shown.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length > longest
    ? `${characters.slice(0, longest - 1).join("")}…`
    : characters.join("");
}

/** A value of an input as a message names it. */
export function quoted(text: string): string {
  return `"${clipped(text)}"`;
}
