import { actionIds, bindingOf } from "../../keys/bindings.ts";
import { changedKeymap, type Keymap, type KeymapIssue } from "../../keys/keymap.ts";
import { readKeymapFile } from "../../settings/keymap-file.ts";
import { safe } from "../../text/sanitise.ts";
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
