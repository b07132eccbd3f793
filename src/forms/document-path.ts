/** Checks the paths of documents, so that no path leads outside the supplier's document root. */
import { withoutZeroWidth } from "./odd-characters.ts";

/** Maximum decodings of a path. A path with more layers of encoding is an error. */
const maxDecodings = 8;

const blank = /^\s*$/;
const scheme = /^\s*[a-z][a-z0-9+.-]*:/i;

/**
 * Returns the reason why a text is not a document path (INTERFACE 2: relative to the supplier's
 * root), or null if it is one. A path that could lead outside the root is an error in every
 * spelling that a storage or a gateway might decode: percent signs (also doubled and overlong),
 * backslashes, invisible characters, and characters that normalize to dots and slashes.
 */
export function documentPathProblem(path: string): string | null {
  if (blank.test(path)) return "Write the path of a document.";
  if (!path.isWellFormed()) return "The path is not well-formed text.";
  const spellings = spellingsOf(path);
  if (spellings === null) return "The path is percent-encoded too many times over.";
  for (const spelling of spellings) {
    if (/\p{Cc}/u.test(spelling)) return "A path has no control characters.";
    if (/^\s*[/\\]/.test(spelling)) {
      return "The path is relative to the supplier's document root: no slash at its start.";
    }
    if (scheme.test(spelling)) {
      return "The path is relative to the supplier's document root: no scheme and no drive.";
    }
    if (spelling.split(/[/\\]/).some(leadsUp)) {
      return "The path stays below the supplier's document root: no .. in it.";
    }
  }
  return null;
}

function leadsUp(segment: string): boolean {
  // Some servers read `..;x` as `..` with parameters.
  return segment.split(";", 1)[0]?.trim() === "..";
}

/** Returns the path and all results of decoding it, or null if decoding does not end. */
function spellingsOf(path: string): readonly string[] | null {
  const spellings = [path];
  let current = path;
  for (let count = 0; count < maxDecodings; count++) {
    const next = decoded(current).normalize("NFKC");
    // A storage might drop invisible characters before it reads the path.
    const visible = withoutZeroWidth(next);
    if (visible === current) return spellings;
    spellings.push(next, visible);
    current = visible;
  }
  return null;
}

/** Decodes one layer of percent encoding. Text without an encoding (`100%.pdf`) is unchanged. */
function decoded(text: string): string {
  return text
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodedRun(run));
}

function decodedRun(run: string): string {
  const bytes = Uint8Array.from(run.slice(1).split("%"), (hex) => Number.parseInt(hex, 16));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Overlong forms are not valid UTF-8, but lenient decoders read c0 ae or e0 80 ae as a dot.
    return [...bytes.keys()].map((at) => lenientByte(bytes, at)).join("");
  }
}

function lenientByte(bytes: Uint8Array, at: number): string {
  const byte = bytes[at] ?? 0;
  if (byte < 0x80) return String.fromCharCode(byte);
  const lead = bytes[at - 1] ?? 0;
  const overlong = (lead & 0xfe) === 0xc0 || lead === 0x80 || lead === 0x81;
  const ascii = ((lead & 1) << 6) | (byte & 0x3f);
  return (byte & 0xc0) === 0x80 && overlong ? String.fromCharCode(ascii) : "";
}
