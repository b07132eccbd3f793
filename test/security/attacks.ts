/** One payload of every class that untrusted text may carry, none of which the console writes itself. */
export const attacks: Readonly<Record<string, string>> = {
  color: "\u001b[38;5;196m",
  "cursor and clear": "\u001b[2J\u001b[77;77H\u001b[3b",
  "scroll region and reset": "\u001b[2;3r\u001bc",
  "a question to the terminal": "\u001b[6n\u001b[c\u0005",
  "title by OSC 0": "\u001b]0;owned\u0007",
  "link by OSC 8": "\u001b]8;;http://evil.example/\u001b\\",
  "clipboard by OSC 52": "\u001b]52;c;ZXZpbA==\u0007",
  "notice by OSC 9": "\u001b]9;owned\u0007",
  DCS: "\u001bP1$r0m\u001b\\",
  APC: "\u001b_Gpayload\u001b\\",
  PM: "\u001b^secret\u001b\\",
  SOS: "\u001bXstring\u001b\\",
  "an OSC that never ends": "\u001b]0;",
  "C1 CSI": "\u009b31m",
  "C1 OSC": "\u009d0;owned\u009c",
  "C1 DCS, SOS, PM, APC": "\u0090a\u0098b\u009ec\u009fd\u0085",
  "C0 and DEL": "\u0000\u0007\b\u000b\u000c\u000e\u000f\u0011\u0013\u0018\u001a\u007f",
  "right-to-left override": "\u202e",
  isolates: "\u2066\u2067\u2068\u2069\u200e\u061c",
  "zero width": "\u200b\u200c\u2060\ufeff",
  fillers: "\u00ad\u115f\u3164\uffa0\u034f",
  tags: "\u{e0001}\u{e0068}\u{e0069}\u{e007f}",
  "variation selectors": "\u{e0100}\u{e0101}\u{e01ef}",
  separators: "\u2028\u2029",
};

/** Payloads that hide nothing, but would push the rest of a row out of line. */
export const misfits: Readonly<Record<string, string>> = {
  "line breaks and tabs": "\r\n\t",
  "carriage return": "\r",
  "piled-up marks": `Z${"\u0301\u0300".repeat(6)}`,
  "wide characters": "日本語日本語",
  "joined emoji": "👩\u200d🚀👋🏽🇨🇭",
  "ambiguous and half width": "①ｶﾞ½",
  "a lone surrogate": "\ud800",
};

/** Payloads that survive in an identifier of a path: no control character, no lone surrogate. */
export const pathAttacks: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...attacks, ...misfits }).filter(([, text]) => !/[\p{Cc}\p{Cs}]/u.test(text)),
);

/** The payload between a word that names the case and one that has to stay visible. */
export function hostile(what: string, payload: string): string {
  return `${what.slice(0, 2)}${payload}~tail`;
}
