/** Shortens and quotes values of an input for messages. */
/** Maximum number of characters of a value in a message. */
const longest = 60;

/** Shortens a text for a message. The result is still untrusted. */
export function clipped(text: string): string {
  // A character has at most two units, so this slice has all characters that can be shown.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length > longest
    ? `${characters.slice(0, longest - 1).join("")}…`
    : characters.join("");
}

/** Quotes and shortens a value of an input for a message. */
export function quoted(text: string): string {
  return `"${clipped(text)}"`;
}
