/** Lines at the end of what a terminal shows, drawn over in place. */
interface LiveBlock {
  /**
   * Draws these lines where the former ones stand; only what is different is written. No line may be
   * wider than the terminal, and there must be fewer than it has rows.
   */
  draw(lines: readonly string[]): void;
  /** The block stays where it is; the next one is drawn below it. */
  leave(): void;
  /** Takes the block away: the cursor stands where it began. */
  clear(): void;
  /**
   * Clears the whole screen: after a resize it is unknown how the terminal has wrapped what was drawn
   * before, and so where it stands.
   */
  startOver(): void;
}

const up = (lines: number) => (lines === 0 ? "\r" : `\x1b[${lines}A\r`);
const eraseLine = "\x1b[2K";
const eraseBelow = "\x1b[J";
const eraseScreen = "\x1b[2J\x1b[H";

/** A block on a terminal whose cursor stands at the start of a line. */
export function liveBlock(write: (text: string) => void): LiveBlock {
  let drawn: readonly string[] = [];
  return {
    draw(lines) {
      let output = drawn.length > 0 ? up(drawn.length) : "";
      for (const [at, line] of lines.entries()) {
        output += line === drawn[at] ? "\n" : `${at < drawn.length ? eraseLine : ""}${line}\n`;
      }
      if (lines.length < drawn.length) output += eraseBelow;
      const same = lines.length === drawn.length && lines.every((line, at) => line === drawn[at]);
      drawn = lines;
      if (!same) write(output);
    },
    leave() {
      drawn = [];
    },
    clear() {
      if (drawn.length > 0) write(up(drawn.length) + eraseBelow);
      drawn = [];
    },
    startOver() {
      write(eraseScreen);
      drawn = [];
    },
  };
}
