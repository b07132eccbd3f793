const begin = "\x1b[?2026h";
const end = "\x1b[?2026l";

/**
 * Holds back a synchronised drawing until it is complete, as a terminal does: what is let through
 * ends on a whole frame, so that no one ever looks at half a screen.
 */
export class FrameGate {
  #held = "";

  /** Takes the next output; gives what may be drawn now, in order. */
  push(chunk: string): string {
    const all = this.#held + chunk;
    const cut = this.#cut(all);
    this.#held = all.slice(cut);
    return all.slice(0, cut);
  }

  /** Gives what is still held, for when no more will come. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  /** True if a frame has begun and not ended. */
  get holding(): boolean {
    return this.#held.startsWith(begin);
  }

  #cut(all: string): number {
    let from = 0;
    for (;;) {
      const opened = all.indexOf(begin, from);
      if (opened === -1) return all.length - partialMarker(all, from);
      const closed = all.indexOf(end, opened);
      if (closed === -1) return opened;
      from = closed + end.length;
    }
  }
}

/** Returns the number of characters at the end that could be the first part of a frame's beginning. */
function partialMarker(all: string, from: number): number {
  for (let length = Math.min(begin.length - 1, all.length - from); length > 0; length--) {
    if (begin.startsWith(all.slice(-length))) return length;
  }
  return 0;
}
