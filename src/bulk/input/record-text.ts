/**
 * The cells of a sound CSV record (RFC 4180), without the quotes around them. The record must have
 * come from the cutter: it tells what is unsound.
 */
export function cellsOf(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    let cell: string;
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      cell = text.slice(at + 1, close);
      if (cell.includes('"')) cell = cell.replaceAll('""', '"');
      at = close + 1;
    } else {
      const next = text.indexOf(separator, at);
      const end = next < 0 ? text.length : next;
      cell = text.slice(at, end);
      at = end;
    }
    cells.push(cell);
    if (at >= text.length) return cells;
    at += separator.length;
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return text.length;
}
