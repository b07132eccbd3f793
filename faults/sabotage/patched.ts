import type { Patch } from "./sabotage.ts";

/** A source with each snippet replaced. Throws when one does not stand in it exactly once. */
export function patched(source: string, patches: readonly Patch[]): string {
  let text = source;
  for (const { file, from, to } of patches) {
    const found = text.split(from).length - 1;
    if (found !== 1) {
      throw new Error(`src/${file} holds ${found} times what a sabotage replaces:\n${from}`);
    }
    // As a function, so that nothing in the new text is taken for a pattern.
    text = text.replace(from, () => to);
  }
  return text;
}
