import { describe, expect, test } from "vitest";
import { emptyForm, textAt } from "../../src/forms/form-values.ts";
import { forms } from "../../src/forms/forms.ts";
import { compose } from "../../src/session/composition.ts";
import { targetFields } from "../../src/session/draft-form.ts";
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
function openForm({ isFull = false } = {}) {
  const clock = fakeClock();
  const drafts = openDrafts(memoryState(), clock.now);
  const target = { supplier: "ACME", account: "EXT-1" };
  const first: SavedDraft = {
    id: newDraftId(),
    kind: "notes",
    profile: "acme-test",
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
  const composeIn = () =>
    compose(form, draft(), { drafts: { ...drafts, save }, clock, timeZone: "UTC" });
  const bodies = () =>
    drafts
      .list("acme-test")
      .map(({ value }) => textAt((value as ReturnType<typeof emptyForm>).values, body));
  return { clock, drafts, id: first.id, draft, composeIn, bodies };
}

/** A form whose last review was refused. */
function refusedForm() {
  const opened = openForm();
  opened.drafts.save({ ...opened.draft(), refusals });
  return opened;
}

type Composition = ReturnType<ReturnType<typeof openForm>["composeIn"]>;

function type(composition: Composition, text: string): void {
  composition.apply({ type: "set", path: body, text });
}

test("typing without a pause is saved at the latest one second after the first change", async () => {
  const { clock, composeIn, bodies } = openForm();
  const composition = composeIn();
  for (let typed = 1; typed <= 10; typed++) {
    type(composition, "x".repeat(typed));
    await clock.advance(100);
  }
  expect(bodies()).toEqual(["x".repeat(10)]);

  for (let typed = 11; typed <= 20; typed++) {
    type(composition, "x".repeat(typed));
    await clock.advance(100);
  }
  expect(bodies()).toEqual(["x".repeat(20)]);
});

test("a pause in typing saves the draft earlier, and nothing is left to save afterwards", async () => {
  const { clock, composeIn, bodies } = openForm();
  type(composeIn(), "abc");
  await clock.advance(299);
  expect(bodies()).toEqual([""]);
  await clock.advance(1);
  expect(bodies()).toEqual(["abc"]);
  expect(clock.pending()).toBe(0);
});

test("a draft changed by two consoles loses neither text: the older one becomes a separate draft", async () => {
  const { clock, composeIn, bodies } = openForm();
  const [one, other] = [composeIn(), composeIn()];
  type(one, "from the first console");
  await clock.advance(300);
  type(other, "from the second console");
  await clock.advance(300);

  expect(bodies().toSorted()).toEqual(["from the first console", "from the second console"]);
  expect(other.state.get().separated).toBe(1);
  expect(one.state.get().separated).toBe(0);
});

test("an empty form that is left does not remove what another console wrote into the draft", async () => {
  const { clock, composeIn, bodies } = openForm();
  const [one, other] = [composeIn(), composeIn()];
  type(one, "still here");
  await clock.advance(300);
  other.close();
  expect(bodies()).toEqual(["still here"]);
});

test("a discarded form leaves what another console wrote as a separate draft", async () => {
  const { clock, composeIn, bodies, drafts, id } = openForm();
  const [one, other] = [composeIn(), composeIn()];
  type(one, "still here");
  await clock.advance(300);
  other.discard();
  expect(drafts.find(id)).toBeNull();
  expect(bodies()).toEqual(["still here"]);
});

test("a draft that could not be saved is saved later without a copy of its older self", async () => {
  const { clock, drafts, id, bodies } = openForm();
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
  const composition = compose(form, draft, { drafts: failing, clock, timeZone: "UTC" });
  type(composition, "first");
  await clock.advance(300);
  expect(composition.state.get().saveError).toBeInstanceOf(Error);
  isFull = false;
  type(composition, "first and second");
  await clock.advance(300);
  expect(bodies()).toEqual(["first and second"]);
  expect(composition.state.get()).toMatchObject({ saveError: null, separated: 0 });
});

describe("a form that is changed", () => {
  test("an action on a place that the form does not have saves nothing", () => {
    const { clock, composeIn } = openForm();
    const composition = composeIn();
    const before = composition.state.get();
    composition.apply({ type: "set", path: ["nowhere"], text: "x" });
    expect(composition.state.get()).toBe(before);
    expect(clock.pending()).toBe(0);
  });

  test("a fold is saved, and keeps the refusals and what may be missing", async () => {
    const { clock, composeIn, drafts, id } = refusedForm();
    const composition = composeIn();
    composition.allowMissing();
    composition.apply({ type: "fold", at: ["notes", 0] });
    expect(composition.state.get()).toMatchObject({ allowMissing: true, refusals });
    await clock.advance(300);
    expect(drafts.find(id)).toMatchObject({ allowMissing: true, refusals });
  });

  test("a changed field drops its refusal, and no longer allows fields to be missing", async () => {
    const { clock, composeIn, drafts, id } = refusedForm();
    const composition = composeIn();
    composition.allowMissing();
    type(composition, "another text");
    const rest = refusals.filter(({ message }) => message !== "too long");
    expect(composition.state.get()).toMatchObject({ allowMissing: false, refusals: rest });
    await clock.advance(300);
    expect(drafts.find(id)?.refusals).toEqual(rest);
    expect(drafts.find(id)).not.toHaveProperty("allowMissing");
  });

  test("a removed row drops the refusals of all its rows; one of the whole form stays", () => {
    const composition = refusedForm().composeIn();
    composition.apply({ type: "remove-row", path: ["notes", 0] });
    expect(composition.state.get().refusals).toEqual([{ path: [], message: "the whole" }]);
  });

  test("a replaced form drops every refusal but that of the whole form", () => {
    const composition = refusedForm().composeIn();
    const { typed } = composition.state.get();
    composition.apply({ type: "replace", values: { ...typed.values, notes: [] } });
    expect(composition.state.get().refusals).toEqual([{ path: [], message: "the whole" }]);
  });

  test("the time of the last change moves with each change", async () => {
    const { clock, composeIn } = openForm();
    const composition = composeIn();
    const opened = composition.state.get().typedAt;
    await clock.advance(5_000);
    type(composition, "later");
    expect(composition.state.get().typedAt).toBe(opened + 5_000);
  });

  test("a form that was sent is known as sent until it is changed", async () => {
    const { clock, composeIn, drafts, id, draft } = openForm();
    drafts.save({ ...draft(), sentAs: 7 });
    const composition = composeIn();
    composition.saveEdited("a text from the editor");
    expect(drafts.find(id)?.sentAs).toBe(7);
    type(composition, "changed");
    await clock.advance(300);
    expect(drafts.find(id)).not.toHaveProperty("sentAs");
  });
});

describe("a review that is requested", () => {
  test("reports missing fields from then on", () => {
    const composition = openForm().composeIn();
    expect(composition.state.get().tried).toBe(false);
    composition.try();
    expect(composition.state.get().tried).toBe(true);
  });

  test("finds the form saved at once, without refusals", () => {
    const { clock, composeIn, drafts, id, bodies } = refusedForm();
    const composition = composeIn();
    type(composition, "typed just now");
    expect(composition.ready()).toBe(true);
    expect([bodies(), drafts.find(id)?.refusals]).toEqual([["typed just now"], []]);
    expect(clock.pending()).toBe(0);
  });

  test("is refused while the draft cannot be saved", () => {
    const { composeIn } = openForm({ isFull: true });
    const composition = composeIn();
    type(composition, "typed");
    expect(composition.ready()).toBe(false);
    expect(composition.save()).toBe(false);
    expect(composition.state.get().saveError).toBeInstanceOf(Error);
  });
});

describe("a text from the editor", () => {
  test("is saved at once beside the form, with its field, and removed again", () => {
    const { composeIn, drafts, id } = openForm();
    const composition = composeIn();
    composition.saveEdited("half a text", body);
    expect(drafts.find(id)).toMatchObject({ edited: "half a text", editedField: body });
    composition.saveEdited(null);
    expect(drafts.find(id)).not.toHaveProperty("edited");
    expect(composition.state.get()).toMatchObject({ edited: null, editedField: null });
  });

  test("that is already saved is not saved again", () => {
    const { composeIn } = openForm();
    const composition = composeIn();
    composition.saveEdited("text", body);
    const saved = composition.state.get();
    composition.saveEdited("text", [...body]);
    expect(composition.state.get()).toBe(saved);
  });

  test("is there when the draft is opened again, and keeps an empty form from being removed", () => {
    const { composeIn } = openForm();
    const first = composeIn();
    first.saveEdited("{", null);
    first.close();
    expect(composeIn().state.get()).toMatchObject({ edited: "{", editedField: null });
  });

  test("that comes after the screen is closed is saved at once", () => {
    const { clock, composeIn, bodies } = openForm();
    const composition = composeIn();
    type(composition, "typed");
    composition.close();
    type(composition, "from the editor");
    expect(bodies()).toEqual(["from the editor"]);
    expect(clock.pending()).toBe(0);
  });
});

describe("a draft that another screen has saved", () => {
  test("is read again: its refusals, what may be missing and its values", () => {
    const { composeIn, drafts, draft } = openForm();
    const composition = composeIn();
    drafts.save({ ...draft(), refusals, allowMissing: true, edited: "text" });
    composition.reload();
    expect(composition.state.get()).toMatchObject({ refusals, allowMissing: true, edited: "text" });
  });

  test("is not read over what is typed and not saved yet", () => {
    const { composeIn, drafts, draft } = openForm();
    const composition = composeIn();
    type(composition, "typed");
    drafts.save({ ...draft(), refusals });
    composition.reload();
    expect(composition.state.get().refusals).toEqual([]);
    expect(textAt(composition.state.get().typed.values, body)).toBe("typed");
  });

  test("that was sent is removed here too, and nothing brings it back", () => {
    const { clock, composeIn, drafts, id } = openForm();
    const composition = composeIn();
    drafts.remove(id);
    composition.reload();
    expect(composition.state.get().removed).toBe(true);
    type(composition, "late");
    composition.saveEdited("late");
    composition.reload();
    expect(composition.save()).toBe(false);
    composition.close();
    expect([drafts.find(id), clock.pending()]).toEqual([null, 0]);
  });

  test("that could never be saved is not taken for removed", () => {
    const { composeIn, drafts, id } = openForm({ isFull: true });
    const composition = composeIn();
    type(composition, "typed");
    composition.save();
    drafts.remove(id);
    composition.reload();
    expect(composition.state.get().removed).toBe(false);
  });
});

describe("the end of a form", () => {
  test("saves what is unsaved", () => {
    const { clock, composeIn, bodies } = openForm();
    const composition = composeIn();
    type(composition, "typed");
    composition.close();
    expect([bodies(), clock.pending()]).toEqual([["typed"], 0]);
  });

  test("removes a draft with only its target filled in", () => {
    const { composeIn, drafts, id } = openForm();
    composeIn().close();
    expect(drafts.find(id)).toBeNull();
  });

  test("keeps an empty form that has refusals", () => {
    const { composeIn, drafts, id } = refusedForm();
    composeIn().close();
    expect(drafts.find(id)).not.toBeNull();
  });

  test("removes a discarded draft at once, typed or not", () => {
    const { clock, composeIn, drafts, id } = openForm();
    const composition = composeIn();
    type(composition, "typed");
    composition.discard();
    composition.close();
    expect(composition.state.get().removed).toBe(true);
    expect([drafts.find(id), clock.pending()]).toEqual([null, 0]);
  });
});
