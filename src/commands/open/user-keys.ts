/** Reads the user's keys of actions from keymap.json, and the user's commands from commands.json. */

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

export interface UserKeys {
  readonly path: string;
  readonly keymap: Keymap;
  readonly issues: readonly string[];
}

const maxQuotedWidth = 40;

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

function issueWords(given: KeymapIssue): string {
  const issue = shortened(given);
  switch (issue.kind) {
    case "unknown-action": {
      const suggestion = nearest(issue.action, actionIds);
      return suggestion === null
        ? `there is no action ${issue.action}; supplyline schema keymap names them all`
        : `there is no action ${issue.action}; did you mean ${suggestion}?`;
    }
    case "twice":
      return `${issue.action} is there twice; the first one is used, remove this one`;
    case "unknown-key":
      return `${issue.key} is not a key: use one character, space, home, end, left, right, page-up, page-down, ctrl-a to ctrl-z or f1 to f12; ${currentKeysWords(issue.action)}`;
    case "reserved":
      return `${issue.key} is reserved for fields and terminals: choose another; ${currentKeysWords(issue.action)}`;
    case "types-text":
      return `${issue.key} is text in a form, where ${issue.action} works: choose ctrl-a to ctrl-y or f1 to f12; ${currentKeysWords(issue.action)}`;
    case "keyless":
      return `${issue.action} needs a key; ${currentKeysWords(issue.action)}`;
    case "clash":
      return issue.otherLine === null
        ? `${issue.key} is the key of ${issue.other}: give ${issue.other} another one too, or choose another here; ${currentKeysWords(issue.action)}`
        : `${issue.key} is the key of ${issue.other} by line ${issue.otherLine}: choose another for one of them; ${currentKeysWords(issue.action)}`;
  }
}

/**
 * Shortens the quoted texts, because a file can have up to a quarter of a megabyte of invalid text.
 */
function shortened<Issue extends KeymapIssue>(issue: Issue): Issue {
  const cut = (text: string) => truncate(text, maxQuotedWidth);
  return {
    ...issue,
    ...("key" in issue ? { key: cut(issue.key) } : {}),
    ...(issue.kind === "unknown-action" ? { action: cut(issue.action) } : {}),
  };
}

function currentKeysWords(action: Parameters<typeof bindingOf>[0]): string {
  return `${action} keeps ${bindingOf(action).keys.join(" ")}`;
}

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
const maxBytes = 256 * 1024;

/**
 * Reads `keymap.json` in the settings folder: an object with the keys of each action by name, a
 * text or a list of texts. The file has no secret, so it can be a link into a dotfiles folder. Never
 * throws, because a wrong keymap must not prevent the console from opening.
 */
export function readKeymapFile(configDir: string): KeymapFile {
  const path = join(configDir, "keymap.json");
  const unusable = (message: string, line = 0) => ({
    path,
    changes: [],
    issues: [{ line, message }],
  });
  const file = readRegularFile(path, maxBytes, { isLinkFollowed: true });
  if (file.kind === "no-file") return unusable("is not a file; it is ignored");
  if (file.kind === "too-large") return unusable("is far too large; it is ignored");
  if (file.kind === "failed") {
    const code = codeOf(file.error);
    if (code === "ENOENT" || code === "ENOTDIR") return { path, changes: [], issues: [] };
    return unusable(`cannot be read (${code}); it is ignored`);
  }
  const text = file.bytes.toString("utf8").replace(/^\uFEFF/, "");
  const issue = jsonErrorAt(text);
  if (issue) {
    return unusable(`is not JSON at column ${issue.column}; it is ignored`, issue.line);
  }
  if (!text.trimStart().startsWith("{")) {
    return unusable('must be an object such as { "refresh": "ctrl-e" }', 1);
  }
  const changes: KeymapFile["changes"][number][] = [];
  const issues: KeymapFile["issues"][number][] = [];
  for (const { name, value, line } of members(text)) {
    if (name === "$schema") continue;
    const keys = typeof value === "string" ? [value] : value;
    if (Array.isArray(keys) && keys.every((key) => typeof key === "string" && key !== "")) {
      changes.push({ action: name, keys, line });
    } else {
      const message = `${truncate(name, maxQuotedWidth)} takes a key, or a list of keys, in quotes`;
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
  let name: { readonly text: string; readonly offset: number } | null = null;
  let valueStart = -1;
  const takeMember = (valueEnd: number) => {
    if (name === null || valueStart < 0) return null;
    const value: unknown = JSON.parse(text.slice(valueStart, valueEnd));
    const line = text.slice(0, name.offset).split("\n").length;
    const member = { name: String(JSON.parse(name.text)), value, line };
    name = null;
    valueStart = -1;
    return member;
  };
  for (const { text: token, at: offset } of tokensOf(text)) {
    const isEnd = depth === 1 && (token === "," || token === "}");
    const member = isEnd ? takeMember(offset) : null;
    if (member) yield member;
    if (depth === 1 && name === null && token.startsWith('"')) name = { text: token, offset };
    else if (depth === 1 && token === ":") valueStart = offset + 1;
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
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
    const obstacle =
      command.key === null ? null : keyObstacle(command, command.key, commands, keymap);
    commands.push(obstacle === null ? command : { ...command, key: null });
    if (obstacle !== null) issues.push(safe(`commands.json: ${command.entry}.key: ${obstacle}`));
  }
  return { ...file, commands, issues: [...file.issues, ...issues] };
}

function keyObstacle(
  command: CustomCommand,
  key: string,
  earlier: readonly CustomCommand[],
  keymap: Keymap,
): string | null {
  const shown = truncate(key, 20);
  const problem = keyProblem(key, keymap);
  if (problem !== null) return `${problemWords(shown, problem)}; ${inPalette}`;
  const other = earlier.find(
    (candidate) =>
      candidate.key === key &&
      candidate.rows === command.rows &&
      candidate.screens.some((screen) => command.screens.includes(screen)),
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
    case "unknown-key":
      return `${key} is not a key: use one character, ctrl-a to ctrl-z or f1 to f12`;
  }
}
