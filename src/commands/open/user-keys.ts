import { actionIds, bindingOf } from "../../keys/bindings.ts";
import { changedKeymap, type Keymap, type KeymapFault } from "../../keys/keymap.ts";
import { readKeymapFile } from "../../settings/keymap-file.ts";
import { safe } from "../../text/sanitise.ts";
import { nearest } from "../../text/suggest.ts";
import { truncate } from "../../text/width.ts";

/** The keys of this user, and what is wrong with the file they are in, line by line, in words. */
export interface UserKeys {
  readonly path: string;
  readonly keymap: Keymap;
  readonly faults: readonly string[];
}

/** Cells of a name or a key that is no good: enough to find it by. */
const quoted = 40;

/** The table of keys with what the keymap file of the settings folder changes. Never throws. */
export function readUserKeys(configDir: string): UserKeys {
  const file = readKeymapFile(configDir);
  const { keymap, faults } = changedKeymap(file.changes);
  const all = [
    ...file.faults,
    ...faults.map((fault) => ({ line: fault.line, message: faultWords(fault) })),
  ].sort((a, b) => a.line - b.line);
  const place = (line: number) => (line === 0 ? "keymap.json" : `keymap.json line ${line}:`);
  return {
    path: file.path,
    keymap,
    faults: all.map(({ line, message }) => safe(`${place(line)} ${message}`)),
  };
}

/** What is wrong and what to do about it. */
function faultWords(given: KeymapFault): string {
  const fault = shortened(given);
  switch (fault.kind) {
    case "unknown-action": {
      const meant = nearest(fault.action, actionIds);
      return meant === null
        ? `there is no action ${fault.action}; supplyline schema keymap names them all`
        : `there is no action ${fault.action}; did you mean ${meant}?`;
    }
    case "twice":
      return `${fault.action} stands there twice; the first one holds, remove this one`;
    case "no-key":
      return `${fault.key} is no key: write one character, space, home, end, left, right, page-up, page-down, ctrl-a to ctrl-z or f1 to f12; ${keeps(fault.action)}`;
    case "reserved":
      return `${fault.key} cannot be given away, fields and terminals need it: choose another; ${keeps(fault.action)}`;
    case "types-text":
      return `${fault.key} is text in a form, where ${fault.action} works: choose ctrl-a to ctrl-y or f1 to f12; ${keeps(fault.action)}`;
    case "keyless":
      return `${fault.action} needs a key; ${keeps(fault.action)}`;
    case "clash":
      return fault.otherLine === null
        ? `${fault.key} is the key of ${fault.other}: give ${fault.other} another one too, or choose another here; ${keeps(fault.action)}`
        : `${fault.key} is the key of ${fault.other} by line ${fault.otherLine}: choose another for one of them; ${keeps(fault.action)}`;
  }
}

/** Whatever stands in a file of up to a quarter of a megabyte is quoted by its beginning. */
function shortened<F extends KeymapFault>(fault: F): F {
  const cut = (text: string) => truncate(text, quoted);
  return {
    ...fault,
    ...("key" in fault ? { key: cut(fault.key) } : {}),
    ...(fault.kind === "unknown-action" ? { action: cut(fault.action) } : {}),
  };
}

function keeps(action: Parameters<typeof bindingOf>[0]): string {
  return `${action} keeps ${bindingOf(action).keys.join(" ")}`;
}
