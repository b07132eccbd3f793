import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyForm, textAt } from "../../src/forms/form-values.ts";
import { forms } from "../../src/forms/forms.ts";
import { compose } from "../../src/session/composition.ts";
import { givenOf } from "../../src/session/saved-draft.ts";
import type { SavedDraft } from "../../src/settings/saved-drafts.ts";
import { newDraftId, openDrafts } from "../../src/settings/saved-drafts.ts";
import { fakeClock } from "../helpers/clock.ts";
import { freshFolder } from "../settings/settings-folder.ts";

const form = forms.notes;
const body = ["notes", 0, "body"] as const;

function openForm() {
  const clock = fakeClock();
  const stateDir = join(freshFolder().root, "state");
  const drafts = openDrafts({ stateDir, now: clock.now });
  const target = { supplier: "ACME", account: "EXT-1" };
  const first: SavedDraft = {
    id: newDraftId(),
    kind: "notes",
    profile: "acme-test",
    ...target,
    value: emptyForm(form, givenOf(form, target)),
    query: {},
    updatedAt: clock.now(),
    refusals: [],
  };
  drafts.save(first);
  const composeIn = () =>
    compose(form, drafts.find(first.id) ?? first, { drafts, clock, timeZone: "UTC" });
  const bodies = () =>
    drafts
      .list("acme-test")
      .map(({ value }) => textAt((value as ReturnType<typeof emptyForm>).values, body));
  return { clock, drafts, id: first.id, composeIn, bodies };
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
  expect(other.state.get().apart).toBe(1);
  expect(one.state.get().apart).toBe(0);
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
      drafts.save(draft);
    },
  };
  const draft = drafts.find(id);
  if (draft === null) throw new Error("the draft is gone");
  const composition = compose(form, draft, { drafts: failing, clock, timeZone: "UTC" });
  type(composition, "first");
  await clock.advance(300);
  expect(composition.state.get().unkept).toBeInstanceOf(Error);
  isFull = false;
  type(composition, "first and second");
  await clock.advance(300);
  expect(bodies()).toEqual(["first and second"]);
  expect(composition.state.get()).toMatchObject({ unkept: null, apart: 0 });
});
