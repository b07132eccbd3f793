import { type ActionId, bindingOf } from "../../src/keys/bindings.ts";
import { Display, type Typed, type View } from "./display.ts";
import { type KeyName, keysBytes, pasteBytes } from "./key-bytes.ts";

/** The keyboard of a terminal. */
interface Keyboard {
  /** Sends bytes as they are. */
  send(keys: string): Typed;
  /** Presses keys by name. After `esc` wait for its effect before the next key. */
  press(...keys: KeyName[]): Typed;
  /** Presses the first key of an action, as the key table has it. */
  act(action: ActionId): Typed;
  /** Pastes as a terminal does: in brackets if the program has asked for them. */
  paste(text: string): Typed;
  /** Opens the palette and types into it. It stays open. */
  openPalette(text?: string): Typed;
  /** Opens the palette, types, waits for the text in its field or for what is offered, and presses Enter. */
  palette(text: string, offered?: string | RegExp): Typed;
  /** Waits until the review offers to send at once, and sends. */
  sendReviewed(): Typed;
}

/** A screen and its keyboard. */
export interface Driver extends View, Keyboard {}

/** A terminal emulator with a keyboard that leads to a program. */
export abstract class DrivenDisplay extends Display implements Driver {
  abstract send(keys: string): Typed;

  press(...keys: KeyName[]): Typed {
    return this.send(keysBytes(keys, this.applicationCursor));
  }

  act(action: ActionId): Typed {
    const [key = ""] = bindingOf(action).keys;
    return this.press(key);
  }

  paste(text: string): Typed {
    return this.send(pasteBytes(text, this.bracketedPaste));
  }

  openPalette(text = ""): Typed {
    return this.after(async () => {
      await this.act("palette").until("Go to a place or run an action");
      return text === "" ? this.typed() : this.send(text);
    });
  }

  palette(text: string, offered: string | RegExp = `: ${text}`): Typed {
    return this.after(async () => {
      await this.openPalette(text).until(offered);
      return this.press("enter");
    });
  }

  sendReviewed(): Typed {
    const { keys, label } = bindingOf("send");
    return this.after(async () => {
      await this.waitFor(`${keys[0]} ${label} now`);
      return this.act("send");
    });
  }

  /** Types in several steps. The promises of the result wait for the screen after the last one. */
  protected after(type: () => Promise<Typed>): Typed {
    const typed = type();
    // A test that awaits the screen sees the failure.
    typed.catch(() => {});
    return {
      until: async (wanted, options) => (await typed).until(wanted, options),
      untilGone: async (unwanted, options) => (await typed).untilGone(unwanted, options),
    };
  }
}
