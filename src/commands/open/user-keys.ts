/** Reads the keys that the user has chosen: of actions in keymap.json, of own commands in commands.json. */
import { join } from "node:path";
import { readRegularFile } from "../../files/regular-file.ts";
import { tokensOf } from "../../json/positions.ts";
import { jsonErrorAt } from "../../json/scan.ts";
import { actionIds, bindingOf } from "../../keys/bindings.ts";
import {
  changedKeymap,
  type Keymap,
  type KeymapIssue,
  type KeyProblem,
  keyProblem,
} from "../../keys/keymap.ts";
import type { CustomCommand, CustomCommands } from "../../settings/custom/custom-command.ts";
import { readCustomCommands } from "../../settings/custom/read-commands.ts";
import { codeOf } from "../../text/disk-words.ts";
import { safe } from "../../text/sanitize.ts";
import { nearest } from "../../text/suggest.ts";
import { truncate } from "../../text/width.ts";

/** The user's keys from keymap.json, and descriptions of the problems in that file. */
export interface UserKeys {
  readonly path: string;
  readonly keymap: Keymap;
  readonly issues: readonly string[];
}

/** Maximum width in cells of a quoted invalid name or key. */
const quoted = 40;

/** Reads the keymap file and returns the keys with its changes. Never throws. */
export function readUserKeys(configDir: string): UserKeys {
  const file = readKeymapFile(configDir);
  const { keymap, issues } = changedKeymap(file.changes);
  const all = [
    ...file.issues,
    ...issues.map((issue) => ({ line: issue.line, message: issueWords(issue) })),
  ].sort((a, b) => a.line - b.line);
  const place = (line: number) => (line === 0 ? "keymap.json" : `keymap.json line ${line}:`);
  return {
    path: file.path,
    keymap,
    issues: all.map(({ line, message }) => safe(`${place(line)} ${message}`)),
  };
}

/** Describes a problem and its remedy. */
function issueWords(given: KeymapIssue): string {
  const issue = shortened(given);
  switch (issue.kind) {
    case "unknown-action": {
      const meant = nearest(issue.action, actionIds);
      return meant === null
        ? `there is no action ${issue.action}; supplyline schema keymap names them all`
        : `there is no action ${issue.action}; did you mean ${meant}?`;
    }
    case "twice":
      return `${issue.action} is there twice; the first one is used, remove this one`;
    case "no-key":
      return `${issue.key} is not a key: use one character, space, home, end, left, right, page-up, page-down, ctrl-a to ctrl-z or f1 to f12; ${keeps(issue.action)}`;
    case "reserved":
      return `${issue.key} is reserved for fields and terminals: choose another; ${keeps(issue.action)}`;
    case "types-text":
      return `${issue.key} is text in a form, where ${issue.action} works: choose ctrl-a to ctrl-y or f1 to f12; ${keeps(issue.action)}`;
    case "keyless":
      return `${issue.action} needs a key; ${keeps(issue.action)}`;
    case "clash":
      return issue.otherLine === null
        ? `${issue.key} is the key of ${issue.other}: give ${issue.other} another one too, or choose another here; ${keeps(issue.action)}`
        : `${issue.key} is the key of ${issue.other} by line ${issue.otherLine}: choose another for one of them; ${keeps(issue.action)}`;
  }
}

/**
 * Shortens the quoted texts, because a file can have up to a quarter of a megabyte of invalid text.
 */
function shortened<F extends KeymapIssue>(issue: F): F {
  const cut = (text: string) => truncate(text, quoted);
  return {
    ...issue,
    ...("key" in issue ? { key: cut(issue.key) } : {}),
    ...(issue.kind === "unknown-action" ? { action: cut(issue.action) } : {}),
  };
}

function keeps(action: Parameters<typeof bindingOf>[0]): string {
  return `${action} keeps ${bindingOf(action).keys.join(" ")}`;
}

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
      const message = `${truncate(name, quoted)} takes a key, or a list of keys, in quotes`;
      issues.push({ line, message });
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

/**
 * Reads the user's commands from the settings folder. A command with an unavailable key is in the
 * palette without a key. Never throws.
 */
export function readUserCommands(configDir: string, keymap: Keymap): CustomCommands {
  const file = readCustomCommands(configDir);
  const issues: string[] = [];
  const commands: CustomCommand[] = [];
  for (const command of file.commands) {
    const why = command.key === null ? null : whyNot(command, command.key, commands, keymap);
    commands.push(why === null ? command : { ...command, key: null });
    if (why !== null) issues.push(safe(`commands.json: ${command.entry}.key: ${why}`));
  }
  return { ...file, commands, issues: [...file.issues, ...issues] };
}

/** Returns the reason why a command cannot have its key, or null if it can. */
function whyNot(
  command: CustomCommand,
  key: string,
  before: readonly CustomCommand[],
  keymap: Keymap,
): string | null {
  const shown = truncate(key, 20);
  const problem = keyProblem(key, keymap);
  if (problem !== null) return `${problemWords(shown, problem)}; ${inPalette}`;
  const other = before.find(
    (one) =>
      one.key === key &&
      one.rows === command.rows &&
      one.screens.some((screen) => command.screens.includes(screen)),
  );
  return other === undefined ? null : `${shown} is the key of ${other.entry}; ${inPalette}`;
}

const inPalette = "choose another; until then it is in the palette only";

function problemWords(key: string, problem: KeyProblem): string {
  switch (problem.kind) {
    case "clash":
      return `${key} is the key of ${problem.other}`;
    case "reserved":
      return `${key} is reserved for fields and terminals`;
    case "digit":
      return `${key} is a digit, and digits choose rows`;
    case "no-key":
      return `${key} is not a key: use one character, ctrl-a to ctrl-z or f1 to f12`;
  }
}
