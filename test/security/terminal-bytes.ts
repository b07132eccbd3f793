/**
 * Takes the output of a program apart as a terminal does (ECMA-48), so that a test can
 * name every control sequence in it, in whatever pieces it came.
 */

export interface Piece {
  /**
   * - `text`: nothing a terminal would obey
   * - `control`: one C0, DEL or C1 character
   * - `escape`: ESC and a final character
   * - `csi`: a control sequence with its parameters
   * - `string`: OSC, DCS, APC, PM or SOS to its end
   * - `open`: a sequence that the output ends in the middle of
   */
  readonly kind: "text" | "control" | "escape" | "csi" | "string" | "open";
  readonly bytes: string;
}

/** ESC and `[` may come as one C1 character. */
const csi = /(?:\u001b\[|\u009b)[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]/y;
const string =
  /(?:\u001b[\]P_^X]|[\u009d\u0090\u009f\u009e\u0098])[\s\S]*?(?:\u0007|\u001b\\|\u009c)/y;
const single = /\u001b[\u0020-\u002f]*[\u0030-\u007e]/y;
const control = /[\u0000-\u001a\u001c-\u001f\u007f-\u009f]/y;
const text = /[^\u0000-\u001f\u007f-\u009f]+/y;

const kinds = [
  ["text", text],
  ["csi", csi],
  ["string", string],
  ["escape", single],
  ["control", control],
] as const;

/** Takes an output apart; the pieces together are the output. */
export function takeApart(output: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  next: while (at < output.length) {
    for (const [kind, pattern] of kinds) {
      pattern.lastIndex = at;
      const found = pattern.exec(output)?.[0];
      if (found === undefined || (kind === "escape" && /^\u001b[[\]P_^X]$/.test(found))) continue;
      pieces.push({ kind, bytes: found });
      at += found.length;
      continue next;
    }
    pieces.push({ kind: "open", bytes: output.slice(at) });
    break;
  }
  return pieces;
}

/** Every control sequence the console has a use for, and nothing else. */
const ours: readonly RegExp[] = [
  // Carriage return and line feed; no one sends a backspace.
  /^[\r\n]$/,
  // Where to draw: up, down, column, line, home; erase to the end of a line, below, everything.
  /^\u001b\[\d*[ABCDEFG]$/,
  /^\u001b\[(?:\d+(?:;\d+)?)?H$/,
  /^\u001b\[[0-3]?[JK]$/,
  // The lines that scroll, set and given back; lines inserted and deleted among them.
  /^\u001b\[(?:\d+;\d+)?r$/,
  /^\u001b\[\d*[LM]$/,
  // Cursor shown, alternate screen, bracketed paste, synchronised drawing.
  /^\u001b\[\?(?:25|1049|2004|2026)[hl]$/,
  // What color the ground is: asked once, in these words exactly.
  /^\u001b\]11;\?\u001b\\$/,
  // Bold, faint, inverse, underline and the sixteen colors, and their ends.
  /^\u001b\[(?:(?:0|1|2|3|4|7|9|22|23|24|27|29|3[0-79]|4[0-79]|9[0-7])(?:;(?=\d)|(?=m)))*m$/,
];

/** The sequences in an output that are none of the console's own, as one can read them. */
export function foreign(output: string, also: readonly RegExp[] = []): string[] {
  const allowed = [...ours, ...also];
  return takeApart(output)
    .filter(({ kind, bytes }) => kind !== "text" && !allowed.some((own) => own.test(bytes)))
    .map(({ kind, bytes }) => `${kind} ${JSON.stringify(bytes)}`);
}

/** A character that hides, reorders or carries text, which no output may hold as it is. */
export const unseen =
  /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u{e0000}-\u{e0fff}]|\u034f/u;
