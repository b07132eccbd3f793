/** Terminals drop longer clipboard sequences, some without a word. */
const MOST_BASE64 = 74_994;

/** GNU screen keeps at most 768 bytes of one device control string. */
const SCREEN_CHUNK = 700;

/**
 * The sequence that puts text on the clipboard of the terminal the user sits at (OSC 52); null when
 * the text is longer than terminals take. Nothing says whether the terminal obeyed.
 *
 * In tmux it goes out twice: for tmux itself (its `set-clipboard on`) and through it to the terminal
 * outside (its `allow-passthrough on`), since either may be off. GNU screen gets it in short pieces.
 */
export function osc52(
  text: string,
  env: { readonly TMUX?: string | undefined; readonly TERM?: string | undefined },
): string | null {
  const payload = Buffer.from(text, "utf8").toString("base64");
  if (payload.length > MOST_BASE64) return null;
  const sequence = `\u001b]52;c;${payload}\u0007`;
  const term = env.TERM ?? "";
  if ((env.TMUX ?? "") !== "" || term.startsWith("tmux")) {
    return `${sequence}\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
  }
  if (term.startsWith("screen")) {
    let wrapped = "";
    for (let at = 0; at < sequence.length; at += SCREEN_CHUNK) {
      wrapped += `\u001bP${sequence.slice(at, at + SCREEN_CHUNK)}\u001b\\`;
    }
    return wrapped;
  }
  return sequence;
}
