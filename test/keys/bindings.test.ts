import { formKinds } from "../../src/forms/forms.ts";
import { actionIds, bindingOf } from "../../src/keys/bindings.ts";
import { formBindings } from "../../src/keys/form-bindings.ts";
import { keyLabel } from "../../src/keys/key-name.ts";
import { defaultKeymap } from "../../src/keys/keymap.ts";
import { availableActions, resolveKey, type Scope, unhandledKey } from "../../src/keys/scopes.ts";

const scope = (actions: Scope["actions"], options: Partial<Scope> = {}): Scope => ({
  actions,
  modal: false,
  typing: false,
  ...options,
});
const action = (words = "") => ({ run: () => {}, disabled: words === "" ? null : words });

describe("the table of keys", () => {
  test("gives every key to one action only, but for those that mean one thing in two places", () => {
    const owners = new Map<string, string[]>();
    for (const id of actionIds) {
      for (const key of bindingOf(id).keys) owners.set(key, [...(owners.get(key) ?? []), id]);
    }
    expect([...owners].filter(([, ids]) => ids.length > 1)).toEqual([]);
  });

  test("has one key for the form of each kind of write", () => {
    const opened = Object.values(formBindings).map(({ form }) => form);
    expect(opened.toSorted()).toEqual(formKinds.toSorted());
  });

  test("describes every action in words a person can read", () => {
    for (const id of actionIds) {
      expect(bindingOf(id).label.length, id).toBeGreaterThan(1);
      expect(bindingOf(id).help.length, id).toBeGreaterThan(bindingOf(id).label.length);
    }
  });

  test("orders the footer: what acts on an account, what asks again, the journal, the other forms", () => {
    const ids = [
      "filter",
      "note",
      "watch",
      "refresh",
      "pause",
      "activity",
      "transactions",
    ] as const;
    const orders = ids.map((id) => bindingOf(id).footer ?? 0);
    expect(orders).toEqual([...new Set(orders)].toSorted((a, b) => a - b));
  });

  test("names keys the way they stand on a keyboard", () => {
    expect(
      ["enter", "esc", "ctrl-c", "shift-tab", "up", "page-down", "space", "G"].map(keyLabel),
    ).toEqual(["Enter", "Esc", "Ctrl-C", "Shift-Tab", "↑", "PgDn", "Space", "G"]);
  });
});

describe("layers of keys", () => {
  test("the topmost layer with a binding receives the key", () => {
    const screen = action();
    const field = action();
    const layers = [scope({ back: action() }), scope({ back: screen }), scope({ back: field })];
    expect(resolveKey(layers, "esc", defaultKeymap)?.action).toBe(field);
    expect(resolveKey(layers.slice(0, 2), "esc", defaultKeymap)?.action).toBe(screen);
  });

  test("keep printable keys for the text while a field is typed into", () => {
    const layers = [scope({ quit: action(), cancel: action() }), scope({}, { typing: true })];
    expect(resolveKey(layers, "q", defaultKeymap)).toBeNull();
    expect(resolveKey(layers, "space", defaultKeymap)).toBeNull();
    expect(resolveKey(layers, "ctrl-c", defaultKeymap)?.id).toBe("cancel");
  });

  test("hide the screen behind a dialog, but never the way out of the program", () => {
    const layers = [
      scope({ cancel: action() }),
      scope({ refresh: action() }),
      scope({ back: action() }, { modal: true }),
    ];
    expect(resolveKey(layers, "r", defaultKeymap)).toBeNull();
    expect(resolveKey(layers, "ctrl-c", defaultKeymap)?.id).toBe("cancel");
    expect(availableActions(layers, defaultKeymap).map(({ id }) => id)).toEqual(["back", "cancel"]);
  });

  test("keep printable keys in a form, but for the ones that it names", () => {
    const taken: string[] = [];
    const form = scope(
      { mark: action(), add: action(), discard: action() },
      { printable: { allowed: ["mark"], other: (key) => taken.push(key) } },
    );
    const layers = [scope({ quit: action(), help: action(), cancel: action() }), form];
    const found = (key: string) => resolveKey(layers, key, defaultKeymap)?.id;
    expect(found("space")).toBe("mark");
    expect(["a", "q", "?", "D"].map(found)).toEqual([undefined, undefined, undefined, undefined]);
    expect(["f9", "f1", "ctrl-c"].map(found)).toEqual(["discard", "help", "cancel"]);
    const left = unhandledKey(layers, "q", defaultKeymap);
    if (left && "take" in left) left.take("q");
    expect(taken).toEqual(["q"]);
    const unused = { worksOn: null, isCovered: false };
    expect(unhandledKey(layers, "f2", defaultKeymap)).toEqual(unused);
  });

  test("show an action with the keys that lead to it here, and none that no key leads to", () => {
    const form = scope(
      { add: action(), help: action() },
      { printable: { allowed: [], other: () => {} } },
    );
    const shown = (layers: Scope[]) =>
      availableActions(layers, defaultKeymap).map(({ id, keys }) => `${id} ${keys.join(" ")}`);
    expect(shown([scope({}), form])).toEqual(["help f1"]);
    expect(shown([scope({ add: action(), help: action() })])).toEqual(["add a", "help ? f1"]);
    expect(shown([scope({ help: action() }), scope({}, { typing: true })])).toEqual(["help f1"]);
  });

  test("say what a key works on where nothing answers to it, and that a dialog is in front", () => {
    const screen = scope({ refresh: action() });
    expect(unhandledKey([screen], "n", defaultKeymap)).toEqual({
      worksOn: "an account",
      isCovered: false,
    });
    expect(unhandledKey([screen], ";", defaultKeymap)).toEqual({ worksOn: null, isCovered: false });
    expect(unhandledKey([screen], "left", defaultKeymap)).toMatchObject({ worksOn: "a preview" });
    const dialog = scope({ back: action() }, { modal: true });
    expect(unhandledKey([screen, dialog], "n", defaultKeymap)).toEqual({
      worksOn: null,
      isCovered: true,
    });
    expect(unhandledKey([screen, scope({}, { modal: true })], "n", defaultKeymap)).toBeNull();
    expect(unhandledKey([screen, scope({}, { typing: true })], "n", defaultKeymap)).toBeNull();
  });

  test("find an action that cannot be done now together with the reason", () => {
    const layers = [scope({ reverse: action("choose a column first") })];
    expect(resolveKey(layers, "R", defaultKeymap)?.action.disabled).toBe("choose a column first");
  });
});
