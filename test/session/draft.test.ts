import { emptyForm, textAt } from "../../src/forms/form-values.ts";
import { forms } from "../../src/forms/forms.ts";
import { type OpenDraft, openDraft, targetFields } from "../../src/session/draft.ts";
import type { SavedDraft } from "../../src/state/drafts.ts";
import { newDraftId, openDrafts } from "../../src/state/drafts.ts";
import { fakeClock } from "../helpers/clock.ts";
import { memoryState } from "../helpers/state.ts";

const form = forms.notes;
const body = ["notes", 0, "body"] as const;

const refusals: SavedDraft["refusals"] = [
  { path: body, message: "too long" },
  { path: ["notes", 0, "created_at"], message: "not a date" },
  { path: [], message: "the whole" },
];

/** A form with an empty draft; `isFull` lets every later save fail. */
function savedForm({ isFull = false } = {}) {
  const clock = fakeClock();
  const drafts = openDrafts(memoryState(), clock.now);
  const target = { supplier: "ACME", account: "EXT-1" };
  const first: SavedDraft = {
    id: newDraftId(),
    kind: "notes",
    profile: "acme-test",
    service: "https://api.example.com",
    ...target,
    value: emptyForm(form, targetFields(form, target)),
    query: {},
    updatedAt: clock.now(),
    refusals: [],
  };
  drafts.save(first);
  const save = isFull
    ? () => {
        throw new Error("there is no space left for it");
      }
    : drafts.save;
  const draft = () => drafts.find(first.id) ?? first;
  const open = () =>
    openDraft(form, draft(), { drafts: { ...drafts, save }, clock, timeZone: "UTC" });
  const bodies = () =>
    drafts
      .ofProfile("acme-test")
      .map(({ value }) => textAt((value as ReturnType<typeof emptyForm>).values, body));
  return { clock, drafts, id: first.id, draft, open, bodies };
}

/** A form whose last review was refused. */
function refusedForm() {
  const found = savedForm();
  found.drafts.save({ ...found.draft(), refusals });
  return found;
}

function type(draft: OpenDraft, text: string): void {
  draft.apply({ type: "set", path: body, text });
}

test("typing without a pause is saved at the latest one second after the first change", async () => {
  const { clock, open, bodies } = savedForm();
  const opened = open();
  for (let typed = 1; typed <= 10; typed++) {
    type(opened, "x".repeat(typed));
    await clock.advance(100);
  }
  expect(bodies()).toEqual(["x".repeat(10)]);

  for (let typed = 11; typed <= 20; typed++) {
    type(opened, "x".repeat(typed));
    await clock.advance(100);
  }
  expect(bodies()).toEqual(["x".repeat(20)]);
});

test("a pause in typing saves the draft earlier, and nothing is left to save afterwards", async () => {
  const { clock, open, bodies } = savedForm();
  type(open(), "abc");
  await clock.advance(299);
  expect(bodies()).toEqual([""]);
  await clock.advance(1);
  expect(bodies()).toEqual(["abc"]);
  expect(clock.pending()).toBe(0);
});

test("a draft changed by two consoles loses neither text: the older one becomes a separate draft", async () => {
  const { clock, open, bodies } = savedForm();
  const [one, other] = [open(), open()];
  type(one, "from the first console");
  await clock.advance(300);
  type(other, "from the second console");
  await clock.advance(300);

  expect(bodies().toSorted()).toEqual(["from the first console", "from the second console"]);
  expect(other.state.get().separated).toBe(1);
  expect(one.state.get().separated).toBe(0);
});

test("an empty form that is left does not remove what another console wrote into the draft", async () => {
  const { clock, open, bodies } = savedForm();
  const [one, other] = [open(), open()];
  type(one, "still here");
  await clock.advance(300);
  other.close();
  expect(bodies()).toEqual(["still here"]);
});

test("a discarded form leaves what another console wrote as a separate draft", async () => {
  const { clock, open, bodies, drafts, id } = savedForm();
  const [one, other] = [open(), open()];
  type(one, "still here");
  await clock.advance(300);
  other.discard();
  expect(drafts.find(id)).toBeNull();
  expect(bodies()).toEqual(["still here"]);
});

test("a draft that could not be saved is saved later without a copy of its older self", async () => {
  const { clock, drafts, id, bodies } = savedForm();
  let isFull = true;
  const failing = {
    ...drafts,
    save(draft: SavedDraft) {
      if (isFull) throw new Error("there is no space left for it");
      return drafts.save(draft);
    },
  };
  const draft = drafts.find(id);
  if (draft === null) throw new Error("the draft was removed");
  const opened = openDraft(form, draft, { drafts: failing, clock, timeZone: "UTC" });
  type(opened, "first");
  await clock.advance(300);
  expect(opened.state.get().saveError).toBeInstanceOf(Error);
  isFull = false;
  type(opened, "first and second");
  await clock.advance(300);
  expect(bodies()).toEqual(["first and second"]);
  expect(opened.state.get()).toMatchObject({ saveError: null, separated: 0 });
});

describe("a form that is changed", () => {
  test("an action on a place that the form does not have saves nothing", () => {
    const { clock, open } = savedForm();
    const opened = open();
    const before = opened.state.get();
    opened.apply({ type: "set", path: ["nowhere"], text: "x" });
    expect(opened.state.get()).toBe(before);
    expect(clock.pending()).toBe(0);
  });

  test("a fold is saved, and keeps the refusals and what may be missing", async () => {
    const { clock, open, drafts, id } = refusedForm();
    const opened = open();
    opened.allowMissing();
    opened.apply({ type: "fold", at: ["notes", 0] });
    expect(opened.state.get()).toMatchObject({ saved: { allowMissing: true, refusals } });
    await clock.advance(300);
    expect(drafts.find(id)).toMatchObject({ allowMissing: true, refusals });
  });

  test("a changed field drops its refusal, and no longer allows fields to be missing", async () => {
    const { clock, open, drafts, id } = refusedForm();
    const opened = open();
    opened.allowMissing();
    type(opened, "another text");
    const rest = refusals.filter(({ message }) => message !== "too long");
    expect(opened.state.get().saved).toMatchObject({ allowMissing: undefined, refusals: rest });
    await clock.advance(300);
    expect(drafts.find(id)?.refusals).toEqual(rest);
    expect(drafts.find(id)).not.toHaveProperty("allowMissing");
  });

  test("a removed row drops the refusals of all its rows; one of the whole form stays", () => {
    const opened = refusedForm().open();
    opened.apply({ type: "remove-row", path: ["notes", 0] });
    expect(opened.state.get().saved.refusals).toEqual([{ path: [], message: "the whole" }]);
  });

  test("a replaced form drops every refusal but that of the whole form", () => {
    const opened = refusedForm().open();
    const { typed } = opened.state.get();
    opened.apply({ type: "replace", values: { ...typed.values, notes: [] } });
    expect(opened.state.get().saved.refusals).toEqual([{ path: [], message: "the whole" }]);
  });

  test("the time of the last change moves with each change", async () => {
    const { clock, open } = savedForm();
    const opened = open();
    const before = opened.state.get().typedAt;
    await clock.advance(5_000);
    type(opened, "later");
    expect(opened.state.get().typedAt).toBe(before + 5_000);
  });

  test("a form that was sent is known as sent until it is changed", async () => {
    const { clock, open, drafts, id, draft } = savedForm();
    drafts.save({ ...draft(), sentAs: 7 });
    const opened = open();
    opened.saveEdited("a text from the editor");
    expect(drafts.find(id)?.sentAs).toBe(7);
    type(opened, "changed");
    await clock.advance(300);
    expect(drafts.find(id)).not.toHaveProperty("sentAs");
  });
});

describe("a review that is requested", () => {
  test("reports missing fields from then on", () => {
    const opened = savedForm().open();
    expect(opened.state.get().reportsMissing).toBe(false);
    opened.reportMissing();
    expect(opened.state.get().reportsMissing).toBe(true);
  });

  test("finds the form saved at once, without refusals", () => {
    const { clock, open, drafts, id, bodies } = refusedForm();
    const opened = open();
    type(opened, "typed just now");
    expect(opened.saveForReview()).toBe(true);
    expect([bodies(), drafts.find(id)?.refusals]).toEqual([["typed just now"], []]);
    expect(clock.pending()).toBe(0);
  });

  test("is refused while the draft cannot be saved", () => {
    const { open } = savedForm({ isFull: true });
    const opened = open();
    type(opened, "typed");
    expect(opened.saveForReview()).toBe(false);
    expect(opened.save()).toBe(false);
    expect(opened.state.get().saveError).toBeInstanceOf(Error);
  });
});

describe("a text from the editor", () => {
  test("is saved at once beside the form, with its field, and removed again", () => {
    const { open, drafts, id } = savedForm();
    const opened = open();
    opened.saveEdited("half a text", body);
    expect(drafts.find(id)).toMatchObject({ edited: "half a text", editedField: body });
    opened.saveEdited(null);
    expect(drafts.find(id)).not.toHaveProperty("edited");
    expect(opened.state.get().saved).toMatchObject({ edited: undefined, editedField: undefined });
  });

  test("that is already saved is not saved again", () => {
    const { open } = savedForm();
    const opened = open();
    opened.saveEdited("text", body);
    const saved = opened.state.get();
    opened.saveEdited("text", [...body]);
    expect(opened.state.get()).toBe(saved);
  });

  test("is there when the draft is opened again, and keeps an empty form from being removed", () => {
    const { open } = savedForm();
    const first = open();
    first.saveEdited("{", null);
    first.close();
    expect(open().state.get().saved).toMatchObject({ edited: "{" });
  });

  test("that comes after the screen is closed is saved at once", () => {
    const { clock, open, bodies } = savedForm();
    const opened = open();
    type(opened, "typed");
    opened.close();
    type(opened, "from the editor");
    expect(bodies()).toEqual(["from the editor"]);
    expect(clock.pending()).toBe(0);
  });
});

describe("a draft that another screen has saved", () => {
  test("is read again: its refusals, what may be missing and its values", () => {
    const { open, drafts, draft } = savedForm();
    const opened = open();
    drafts.save({ ...draft(), refusals, allowMissing: true, edited: "text" });
    opened.reload();
    expect(opened.state.get().saved).toMatchObject({
      refusals,
      allowMissing: true,
      edited: "text",
    });
  });

  test("is not read over what is typed and not saved yet", () => {
    const { open, drafts, draft } = savedForm();
    const opened = open();
    type(opened, "typed");
    drafts.save({ ...draft(), refusals });
    opened.reload();
    expect(opened.state.get().saved.refusals).toEqual([]);
    expect(textAt(opened.state.get().typed.values, body)).toBe("typed");
  });

  test("that was sent is removed here too, and nothing brings it back", () => {
    const { clock, open, drafts, id } = savedForm();
    const opened = open();
    drafts.remove(id);
    opened.reload();
    expect(opened.state.get().removed).toBe(true);
    type(opened, "late");
    opened.saveEdited("late");
    opened.reload();
    expect(opened.save()).toBe(false);
    opened.close();
    expect([drafts.find(id), clock.pending()]).toEqual([null, 0]);
  });

  test("that could never be saved is not taken for removed", () => {
    const { open, drafts, id } = savedForm({ isFull: true });
    const opened = open();
    type(opened, "typed");
    opened.save();
    drafts.remove(id);
    opened.reload();
    expect(opened.state.get().removed).toBe(false);
  });
});

describe("the end of a form", () => {
  test("saves what is unsaved", () => {
    const { clock, open, bodies } = savedForm();
    const opened = open();
    type(opened, "typed");
    opened.close();
    expect([bodies(), clock.pending()]).toEqual([["typed"], 0]);
  });

  test("removes a draft with only its target filled in", () => {
    const { open, drafts, id } = savedForm();
    open().close();
    expect(drafts.find(id)).toBeNull();
  });

  test("keeps an empty form that has refusals", () => {
    const { open, drafts, id } = refusedForm();
    open().close();
    expect(drafts.find(id)).not.toBeNull();
  });

  test("removes a discarded draft at once, typed or not", () => {
    const { clock, open, drafts, id } = savedForm();
    const opened = open();
    type(opened, "typed");
    opened.discard();
    opened.close();
    expect(opened.state.get().removed).toBe(true);
    expect([drafts.find(id), clock.pending()]).toEqual([null, 0]);
  });
});
