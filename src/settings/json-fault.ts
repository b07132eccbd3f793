/** Where a JSON text stops being JSON; lines and columns count from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
}

const blank = /[ \t\r\n]*/y;
const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * The first place where `text` is not JSON, or null when it is. JSON.parse gives no position for
 * half of its complaints and quotes the text in the others, which may be a secret.
 */
export function jsonFault(text: string): JsonFault | null {
  const open: ("{" | "[")[] = [];
  let at = 0;
  let expect: "value" | "value or ]" | "key" | "key or }" | "after" = "value";

  const skip = () => {
    blank.lastIndex = at;
    blank.test(text);
    at = blank.lastIndex;
  };
  const take = (): string | null => {
    scalar.lastIndex = at;
    const word = scalar.exec(text)?.[0] ?? null;
    if (word !== null) at += word.length;
    return word;
  };

  for (;;) {
    skip();
    const char = text[at];
    if (char === undefined) return expect === "after" && open.length === 0 ? null : place(text, at);
    if (expect === "after") {
      const inside = open.at(-1);
      if (char === "," && inside) expect = inside === "{" ? "key" : "value";
      else if ((char === "}" && inside === "{") || (char === "]" && inside === "[")) open.pop();
      else return place(text, at);
      at += 1;
    } else if (expect === "key" || expect === "key or }") {
      if (char === "}" && expect === "key or }") {
        open.pop();
        at += 1;
        expect = "after";
        continue;
      }
      if (char !== '"' || take() === null) return place(text, at);
      skip();
      if (text[at] !== ":") return place(text, at);
      at += 1;
      expect = "value";
    } else if (char === "{" || char === "[") {
      open.push(char);
      at += 1;
      expect = char === "{" ? "key or }" : "value or ]";
    } else if (char === "]" && expect === "value or ]") {
      open.pop();
      at += 1;
      expect = "after";
    } else {
      if (take() === null) return place(text, at);
      expect = "after";
    }
  }
}

function place(text: string, at: number): JsonFault {
  const before = text.slice(0, at);
  return {
    line: before.split("\n").length,
    column: at - (before.lastIndexOf("\n") + 1) + 1,
  };
}
