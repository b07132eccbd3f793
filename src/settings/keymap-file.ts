/** Reads the user's keymap file. */
import { join } from "node:path";
import { readRegularFile } from "../files/regular-file.ts";
import { jsonErrorAt } from "../json/scan.ts";
import { tokensOf } from "../json/tokens.ts";
import { codeOf } from "../text/disk-words.ts";

/** The lines of a user's keymap file, before they are compared with the table of keys. */
interface KeymapFile {
  readonly path: string;
  readonly changes: readonly {
    readonly action: string;
    readonly keys: readonly string[];
    /** The line, counted from 1. */
    readonly line: number;
  }[];
  /** The issues of the file, in words. Line 0 means the whole file. */
  readonly issues: readonly { readonly line: number; readonly message: string }[];
}

/** Maximum bytes of a keymap file, far more than any keymap needs. */
const largest = 256 * 1024;
/** Maximum characters of a quoted name. A longer name is cut. */
const longestQuoted = 40;

/**
 * Reads `keymap.json` in the settings folder: an object with the keys of each action by name, a
 * text or a list of them. It has no secret, so it can be a link into a dotfiles folder. Never
 * throws, because a wrong keymap must not prevent the console from opening.
 */
export function readKeymapFile(configDir: string): KeymapFile {
  const path = join(configDir, "keymap.json");
  const none = (message: string, line = 0) => ({ path, changes: [], issues: [{ line, message }] });
  const file = readRegularFile(path, largest, { isLinkFollowed: true });
  if (file.kind === "no-file") return none("is not a file; it is ignored");
  if (file.kind === "too-large") return none("is far too large; it is ignored");
  if (file.kind === "failed") {
    const code = codeOf(file.error);
    if (code === "ENOENT" || code === "ENOTDIR") return { path, changes: [], issues: [] };
    return none(`cannot be read (${code}); it is ignored`);
  }
  const text = file.bytes.toString("utf8").replace(/^\uFEFF/, "");
  const issue = jsonErrorAt(text);
  if (issue) {
    return none(`is not JSON at column ${issue.column}; it is ignored`, issue.line);
  }
  if (!text.trimStart().startsWith("{")) {
    return none('must be an object such as { "refresh": "ctrl-e" }', 1);
  }
  const changes: KeymapFile["changes"][number][] = [];
  const issues: KeymapFile["issues"][number][] = [];
  for (const { name, value, line } of members(text)) {
    if (name === "$schema") continue;
    const keys = typeof value === "string" ? [value] : value;
    if (Array.isArray(keys) && keys.every((key) => typeof key === "string" && key !== "")) {
      changes.push({ action: name, keys, line });
    } else {
      const named = name.length > longestQuoted ? `${name.slice(0, longestQuoted)}…` : name;
      issues.push({ line, message: `${named} takes a key, or a list of keys, in quotes` });
    }
  }
  return { path, changes, issues };
}

/**
 * Yields the members of a JSON object in order, including duplicates. The text must be valid JSON.
 */
function* members(text: string): Generator<{ name: string; value: unknown; line: number }> {
  let depth = 0;
  let name: { readonly text: string; readonly at: number } | null = null;
  let from = -1;
  const member = (end: number) => {
    if (name === null || from < 0) return null;
    const value: unknown = JSON.parse(text.slice(from, end));
    const line = text.slice(0, name.at).split("\n").length;
    const found = { name: String(JSON.parse(name.text)), value, line };
    name = null;
    from = -1;
    return found;
  };
  for (const { text: part, at } of tokensOf(text)) {
    const ends = depth === 1 && (part === "," || part === "}");
    const found = ends ? member(at) : null;
    if (found) yield found;
    if (depth === 1 && name === null && part.startsWith('"')) name = { text: part, at };
    else if (depth === 1 && part === ":") from = at + 1;
    if (part === "{" || part === "[") depth++;
    else if (part === "}" || part === "]") depth--;
  }
}
