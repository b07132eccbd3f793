import { narrow } from "../../text/width.ts";

/** A line as the cells of a terminal, one character each, however it was written. */
export interface Cells {
  readonly chars: string;
  /** By cell what it looks like: parameters of one SGR sequence, "" for plain. */
  readonly styles: readonly string[];
}

const parts = /\x1b\[([\d;]*)m|[^\x1b]+|\x1b/g;
const simple = new RegExp(`^${narrow}*$`);

/** What ends a style, and which of them. */
const endings: Readonly<Record<string, readonly string[]>> = {
  22: ["1", "2"],
  23: ["3"],
  24: ["4"],
  27: ["7"],
  28: ["8"],
  29: ["9"],
  39: ["foreground"],
  49: ["background"],
};

/** Most lines of a frame stood in the one before, and each is compared with several. */
const known = new Map<string, Cells | null>();
const mostKnown = 400;

/**
 * The cells of a line of text with styles. Null where a character may take another number of cells
 * than one, and for sequences and styles that no frame uses.
 */
export function cellsOf(line: string): Cells | null {
  let cells = known.get(line);
  if (cells === undefined) {
    cells = read(line);
    if (known.size >= mostKnown) known.clear();
    known.set(line, cells);
  }
  return cells;
}

function read(line: string): Cells | null {
  let chars = "";
  const styles: string[] = [];
  const open = new Map<string, string>();
  let style = "";
  for (const [part, code] of line.matchAll(parts)) {
    if (code === undefined) {
      if (!simple.test(part)) return null;
      chars += part;
      for (let n = 0; n < part.length; n++) styles.push(style);
    } else {
      if (!apply(code, open)) return null;
      style = [...open.keys()]
        .sort()
        .map((kind) => open.get(kind))
        .join(";");
    }
  }
  return { chars, styles };
}

/** Applies one SGR sequence; false for one that is not known. */
function apply(code: string, open: Map<string, string>): boolean {
  if (code === "" || code === "0") {
    open.clear();
    return true;
  }
  const ended = endings[code];
  for (const kind of ended ?? []) open.delete(kind);
  const kind = kindOf(code);
  if (kind !== null) open.set(kind, code);
  return ended !== undefined || kind !== null;
}

function kindOf(code: string): string | null {
  if (/^[1-4789]$/.test(code)) return code;
  if (/^(?:[39][0-7]|38;[\d;]+)$/.test(code)) return "foreground";
  if (/^(?:4[0-7]|10[0-7]|48;[\d;]+)$/.test(code)) return "background";
  return null;
}
