import { bytes } from "../text/numbers.ts";
import { mayHaveClipboard, osc52 } from "../text/osc.ts";
import type { Notices } from "./notices.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Returns a function that sends text to the terminal's clipboard (OSC 52). The terminal does not
 * confirm it, so the notice says only that it was sent.
 */
export function createClipboard({
  env,
  writeTerminal,
  notices,
}: Pick<Surroundings, "env" | "writeTerminal"> & { readonly notices: Notices }) {
  return (text: string, what: string): void => {
    if (!mayHaveClipboard(env)) {
      notices.show(
        `A terminal of the kind "${env.TERM ?? ""}" has no clipboard: ${what} was not sent.`,
        "waiting",
      );
      return;
    }
    const sequence = osc52(text, env);
    if (sequence === null) {
      notices.show(
        `${what} is too large for the terminal's clipboard (${bytes(Buffer.byteLength(text))})`,
        "waiting",
      );
      return;
    }
    writeTerminal(sequence);
    notices.show(`${what}: sent to the terminal`, "ok");
  };
}
