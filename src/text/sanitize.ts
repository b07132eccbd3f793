/**
 * Makes untrusted text safe for a terminal. Every text from the service, a file or an error passes
 * through this module before it is shown.
 *
 * Replaced characters, always by a visible sign:
 * - C0 and DEL by their Control Pictures (`␛`, `␀`, `␡`), so that an escape sequence loses its
 *   introducer and its payload stays readable;
 * - C1, bidi and every other format control, zero-width and default-ignorable characters, tag
 *   characters, line and paragraph separators, noncharacters and lone surrogates by `⟨U+202E⟩`.
 *
 * Unchanged characters, because people write them:
 * - combining marks, up to eight on one base, because more would cover other rows. A mark without
 *   a base follows a dotted circle, so that it does not join the character before it;
 * - one variation selector with a meaning: after an emoji, in a keycap, after an ideograph. Others
 *   could contain hidden text, so they are replaced.
 *
 * Emoji joined by U+200D are shown as their parts with a tie (`👩⁀🚀`), and skin tones by code
 * point. Many terminals, and tmux, draw the parts side by side, which would move the rest of
 * the row. A terminal can draw fewer cells than the computed width, never more.
 */

const PLAIN = /^[\x20-\x7e]*$/;

/** A quick test for text that can contain a replaced character. */
const SUSPECT =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Emoji_Modifier}]|(?<=^|\n)\p{M}|\p{M}{9}/v;

/**
 * The alternatives: a selector with a meaning, a joiner inside an emoji, a mark without a base, or
 * any other replaced character.
 */
const REPLACED =
  /(?<selector>(?<=[\p{Emoji}--[0-9#*]])[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=\p{Ideographic})[\uFE00-\uFE02\u{E0100}-\u{E01EF}])|(?<joiner>(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic}))|(?<baseless>(?<=^|\n)[\p{M}--\p{Default_Ignorable_Code_Point}])|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Emoji_Modifier}]|(?<=\p{M}{8})\p{M}/gv;

const TAB = "    ";

function visibleSign(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
}

/** Replaces characters. `keep` returns the text for a character that must stay, or null. */
function replaceUnsafe(text: string, keep: (character: string) => string | null): string {
  return text.replace(REPLACED, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    if (groups.selector !== undefined) return match;
    if (groups.joiner !== undefined) return "\u2040";
    if (groups.baseless !== undefined) return `\u25cc${match}`;
    return keep(match) ?? visibleSign(match);
  });
}

/**
 * Makes a text safe for one line of a terminal. Returns the same string if nothing must be
 * replaced. A second call changes nothing.
 */
export function safe(text: string): string {
  if (PLAIN.test(text) || !SUSPECT.test(text)) return text;
  return replaceUnsafe(text, () => null);
}

/** Makes a multiline text safe: `\n` stays, `\r\n` becomes `\n`, a tab becomes four spaces. */
export function safeLines(text: string): string {
  if (PLAIN.test(text) || !SUSPECT.test(text)) return text;
  return replaceUnsafe(text.replaceAll("\r\n", "\n"), (character) =>
    character === "\n" ? "\n" : character === "\t" ? TAB : null,
  );
}

/** Makes a text safe for a cell of a file, as {@link safe} does, but keeps line breaks and tabs. */
export function safeCell(text: string): string {
  if (PLAIN.test(text) || !SUSPECT.test(text)) return text;
  return text
    .split("\r\n")
    .map((part) =>
      replaceUnsafe(part, (character) =>
        character === "\n" || character === "\t" ? character : null,
      ),
    )
    .join("\r\n");
}
