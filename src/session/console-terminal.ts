/** The actions of the console on its terminal: clipboard, suspension and external programs. */
import { capital } from "../text/connection-words.ts";
import { bytes } from "../text/numbers.ts";
import { mayHaveClipboard, osc52 } from "../text/osc.ts";
import { widthOf } from "../text/width.ts";
import type { Notices } from "./notices.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Drawing {
  exit(): void;
  suspendTerminal(use: () => Promise<void>): Promise<void>;
}

type Parts = Pick<
  Surroundings,
  "env" | "writeTerminal" | "suspend" | "borrowTerminal" | "holdKeys"
> & {
  readonly notices: Notices;
  /** Returns the drawing library. Throws before the console is drawn. */
  readonly drawing: () => Drawing;
};

const maxShownWidth = 40;

function describeCopied(text: string, name: string): string {
  if (text === name) return text;
  const value = text.replaceAll("\t", "  ");
  const isShort = !value.includes("\n") && widthOf(value) <= maxShownWidth;
  return isShort ? `${capital(name)} ${value}` : capital(name);
}

/**
 * Creates the terminal of the console from its surroundings. The drawing library releases the
 * terminal before another program uses it.
 */
export function createTerminal(parts: Parts) {
  const { env, writeTerminal, notices, drawing } = parts;
  // Keys that are typed for the console again wait until the caller has used what the program left.
  const released = async (use: () => Promise<void>) => {
    const letGo = parts.holdKeys();
    try {
      await drawing().suspendTerminal(use);
    } finally {
      letGo();
    }
  };
  /**
   * Sends text to the terminal's clipboard (OSC 52). `name` describes the text in the notice. The
   * notice reports only that the text was sent, because the terminal does not confirm it.
   */
  const clipboard = (text: string, name: string): void => {
    if (!mayHaveClipboard(env)) {
      notices.show(
        `A terminal of the kind "${env.TERM ?? ""}" has no clipboard: ${name} was not sent.`,
        "waiting",
      );
      return;
    }
    const sequence = osc52(text, env);
    if (sequence === null) {
      notices.show(
        `${name} is too large for the terminal's clipboard (${bytes(Buffer.byteLength(text))})`,
        "waiting",
      );
      return;
    }
    writeTerminal(sequence);
    notices.show(`${describeCopied(text, name)}: sent to the terminal`, "ok");
  };
  return {
    clipboard,
    suspend: () => released(parts.suspend),
    borrowTerminal: (use: () => Promise<void>) => released(() => parts.borrowTerminal(use)),
    exit: () => drawing().exit(),
  };
}
