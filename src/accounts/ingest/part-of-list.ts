/**
 * Detects responses that contain only one page of a list. INTERFACE 4 shows no paging, so a page
 * must not be accepted as the whole list.
 */

/** Returns the sentence about an incomplete list. `more` names the sign of further rows. */
export function partOfListWords(more: string): string {
  return `The response contains only part of the list (${more}), and the interface defines no way to request the rest.`;
}

/**
 * Returns the reason why a response with these headers is not the whole list, or null if no header
 * indicates that. `elements` is the number of elements that arrived.
 */
export function lackInHeaders(
  header: (name: string) => string | null,
  elements: number,
): string | null {
  const more =
    nextIn(header("link")) ??
    rangeIn(header("content-range"), elements) ??
    totalIn(header("x-total-count"), elements);
  return more === null ? null : partOfListWords(more);
}

const parameter = /;\s*([\w*-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,]*)/g;

function nextIn(link: string | null): string | null {
  const parameters = link?.replaceAll(/<[^>]*>/g, "").matchAll(parameter) ?? [];
  for (const [, name = "", value = ""] of parameters) {
    const relations = value.replaceAll('"', "").toLowerCase().split(/\s+/);
    if (name.toLowerCase() === "rel" && relations.includes("next")) {
      return "its Link header names a next page";
    }
  }
  return null;
}

/**
 * Returns the problem of a Content-Range header, or null if the range is the whole of a known
 * length and that number of elements arrived. A length in bytes is not compared with the elements.
 */
function rangeIn(range: string | null, elements: number): string | null {
  const said = range?.trim() ?? "";
  if (said === "") return null;
  const parts = /^(\S+)\s+(?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(said);
  if (parts === null) return "its Content-Range does not cover a known length";
  const [, unit = "", first, last, length] = parts;
  const isWhole =
    first === undefined
      ? Number(length) === 0
      : first === "0" && Number(last) + 1 === Number(length);
  if (!isWhole) return "its Content-Range does not cover the whole length";
  if (unit.toLowerCase() === "bytes" || Number(length) <= elements) return null;
  return `its Content-Range is of ${length}, and ${elements} came`;
}

function totalIn(total: string | null, elements: number): string | null {
  const said = /^\d{1,15}$/.exec(total?.trim() ?? "")?.[0];
  if (said === undefined || Number(said) <= elements) return null;
  return `its X-Total-Count is ${said}, and ${elements} came`;
}
