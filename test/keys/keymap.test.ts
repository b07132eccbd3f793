import { actionIds, bindingOf } from "../../src/keys/bindings.ts";
import { changedKeymap, defaultKeymap } from "../../src/keys/keymap.ts";

const change = (action: string, keys: string[], line = 2) => ({ action, keys, line });
const issuesOf = (...changes: ReturnType<typeof change>[]) => changedKeymap(changes).issues;

describe("a keymap", () => {
  test("is the table of keys where nothing is changed", () => {
    for (const id of actionIds) {
      expect(defaultKeymap.keysOf(id), id).toEqual(bindingOf(id).keys);
      for (const key of bindingOf(id).keys) expect(defaultKeymap.actionsOn(key)).toEqual([id]);
    }
  });

  test("gives an action the keys that the file names, and frees those it had", () => {
    const { keymap, issues } = changedKeymap([change("refresh", ["ctrl-e", "Q"])]);
    expect(issues).toEqual([]);
    expect(keymap.keysOf("refresh")).toEqual(["ctrl-e", "Q"]);
    expect(keymap.actionsOn("Q")).toEqual(["refresh"]);
    expect(keymap.actionsOn("r")).toEqual([]);
  });

  test("leaves Enter, Esc and their like with their actions, whatever else these get", () => {
    const { keymap, issues } = changedKeymap([change("open", ["N"]), change("back", ["Q"], 3)]);
    expect(issues).toEqual([]);
    expect(keymap.keysOf("open")).toEqual(["N", "enter"]);
    expect(keymap.keysOf("back")).toEqual(["Q", "esc"]);
  });

  test("takes l and h from the preview, which keeps its arrows", () => {
    const { keymap, issues } = changedKeymap([change("open", ["l"]), change("back", ["h"], 3)]);
    expect(issues).toEqual([]);
    expect(keymap.actionsOn("l")).toEqual(["open"]);
    expect(keymap.keysOf("preview")).toEqual(["right"]);
    expect(keymap.keysOf("list")).toEqual(["left"]);
  });

  test("lets two actions swap their keys", () => {
    const { keymap, issues } = changedKeymap([change("watch", ["r"]), change("refresh", ["w"], 3)]);
    expect(issues).toEqual([]);
    expect(keymap.actionsOn("r")).toEqual(["watch"]);
    expect(keymap.actionsOn("w")).toEqual(["refresh"]);
  });

  test("takes a key away from an action that can do without", () => {
    const { keymap, issues } = changedKeymap([change("discard", [])]);
    expect(issues).toEqual([]);
    expect(keymap.keysOf("discard")).toEqual([]);
  });

  test("a keymap cannot bind Enter to sending or rebind Ctrl-C", () => {
    expect(issuesOf(change("send", ["enter"]))).toMatchObject([{ kind: "reserved", key: "enter" }]);
    expect(issuesOf(change("copy", ["ctrl-c"]))).toMatchObject([
      { kind: "reserved", key: "ctrl-c" },
    ]);
    expect(issuesOf(change("quit", []))).toMatchObject([{ kind: "keyless", action: "quit" }]);
  });

  test.each(["review", "editor", "next-problem", "discard"])(
    "gives %s no character, because a form takes characters as text",
    (action) => {
      for (const key of ["Q", "space"]) {
        expect(issuesOf(change(action, ["f7", key]))).toMatchObject([{ kind: "types-text", key }]);
      }
      expect(issuesOf(change(action, ["f7", "ctrl-t"]))).toEqual([]);
    },
  );

  test("reports what is no action and what is no key", () => {
    expect(issuesOf(change("refesh", ["e"]))).toMatchObject([{ kind: "unknown-action", line: 2 }]);
    expect(issuesOf(change("refresh", ["f13"]))).toMatchObject([
      { kind: "unknown-key", key: "f13" },
    ]);
    expect(issuesOf(change("refresh", [" "]))).toMatchObject([{ kind: "unknown-key" }]);
    expect(issuesOf(change("refresh", ["Q"]), change("refresh", ["X"], 3))).toMatchObject([
      { kind: "twice", line: 3 },
    ]);
  });

  test("refuses a key that another action has, and keeps both as they were", () => {
    const { keymap, issues } = changedKeymap([change("refresh", ["w"], 7)]);
    expect(issues).toMatchObject([
      { kind: "clash", line: 7, key: "w", other: "watch", otherLine: null },
    ]);
    expect(keymap.keysOf("refresh")).toEqual(["r"]);
    expect(keymap.actionsOn("w")).toEqual(["watch"]);
  });

  test("the first of two keymap lines with the same key is used", () => {
    const { keymap, issues } = changedKeymap([
      change("refresh", ["Q"], 2),
      change("pause", ["Q"], 3),
    ]);
    expect(issues).toMatchObject([{ kind: "clash", line: 3, action: "pause", otherLine: 2 }]);
    expect(keymap.actionsOn("Q")).toEqual(["refresh"]);
    expect(keymap.keysOf("pause")).toEqual(["z"]);
  });

  test("a rejected keymap line also rejects the lines that depend on it", () => {
    // watch wants r, which refresh leaves only if it may have w, which mute claims too, a line before.
    const { keymap, issues } = changedKeymap([
      change("mute", ["w"], 2),
      change("refresh", ["w"], 3),
      change("watch", ["r"], 4),
    ]);
    expect(issues.length).toBeGreaterThan(0);
    for (const id of actionIds) {
      for (const key of keymap.keysOf(id)) expect(keymap.actionsOn(key)).toEqual([id]);
    }
  });
});
