import { mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { newDraftId, openDrafts } from "../../src/state/drafts.ts";
import { openFolders } from "../helpers/folders.ts";
import { stateIn } from "../helpers/state.ts";
import { account, focused, openAccount, openForm, savedDrafts } from "./composing.ts";

test("a note is composed: what is left empty is not sent, times are shown as they will be sent", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", `Notes for ACME/${account}`);
  await terminal.waitFor(focused("Body"));
  terminal.send("Called the customer");
  await terminal.waitFor("Called the customer");
  terminal.press("tab");
  await terminal.waitFor(focused("Documents"));
  terminal.press("tab");
  await terminal.waitFor(focused("Created at"));
  terminal.send("2026-11-20 14:00");
  await terminal.waitFor("→ 2026-11-20T14:00:00Z");
  terminal.press("tab");
  await terminal.waitFor(focused("Pinned"));
  await terminal.waitFor(/Created at +2026-11-20T14:00:00Z/);
  terminal.press("space");
  await terminal.waitFor(/Pinned +yes/);
  terminal.press("tab");
  await terminal.waitFor(focused("Unpin at"));
  terminal.send("soon");
  await terminal.waitFor("Write a time such as");
  terminal.press("ctrl-u");
  await terminal.waitForGone("Write a time such as");
  terminal.press("tab");
  await terminal.waitFor(focused(String.raw`\[ Review \]`));
  terminal.press("enter");
  await terminal.waitForGone("[ Review ]");
  expect(savedDrafts(folders)[0]?.value).toMatchObject({
    values: {
      import_supplier: "ACME",
      external_account_number: account,
      notes: [
        { body: "Called the customer", created_at: "2026-11-20T14:00:00Z", is_pinned: "yes" },
      ],
    },
  });
});

test("what is missing is named when Review is tried, and not before", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "p", "Payment instruction for");
  await terminal.waitFor(focused("Vendor"));
  expect(terminal.text()).not.toContain("supplyline expects this field");
  terminal.press("page-down", "enter");
  await terminal.waitFor("Review it without 3 fields that supplyline expects?");
  await terminal.waitFor(/whether\s+they\s+can\s+be\s+left\s+out/);
  terminal.press("n");
  await terminal.waitFor(focused("Vendor"));
  expect(terminal.text().match(/! supplyline expects this field/g)).toHaveLength(3);
  terminal.send("STRIPE");
  await terminal.waitFor((text) => text.match(/supplyline expects this field/g)?.length === 2, {
    describe: "two fields that are missing",
  });
});

test("rows are added, duplicated, moved and removed, which asks when something is filled in", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", "Notes for");
  terminal.send("one");
  await terminal.waitFor(/Note 1 +one/);
  terminal.press("up");
  await terminal.waitFor(focused("Note 1"));
  terminal.press("=");
  await terminal.waitFor(focused("Note 2 +one"));
  terminal.press("a");
  await terminal.waitFor("Note 3");
  await terminal.waitFor(focused("Body"));
  terminal.send("three");
  await terminal.waitFor(/Note 3 +three/);
  terminal.press("up");
  await terminal.waitFor(focused("Note 3 +three"));
  terminal.press("K");
  await terminal.waitFor(focused("Note 2 +three"));
  terminal.press("enter");
  await terminal.waitFor(/› Note 2 +three/);
  terminal.press("d");
  await terminal.waitFor("Remove Note 2?");
  terminal.press("down", "enter");
  await terminal.waitFor(/Notes +2/);
  expect(terminal.text()).not.toContain("three");
  terminal.press("esc");
  await terminal.waitFor("Observed");
  expect(savedDrafts(folders)[0]?.value).toMatchObject({
    values: { notes: [{ body: "one" }, { body: "one" }] },
  });
});

test("a transaction shows the fields of its type; one of another type stays while it is filled in", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "t", "Transactions for", { rows: 40 });
  expect(terminal.text()).not.toContain("Product code");
  terminal.send("T-1");
  terminal.press("tab");
  await terminal.waitFor(focused("Date"));
  terminal.send("today");
  await terminal.waitFor(/→ \d{4}-\d{2}-\d{2}/);
  terminal.press("tab");
  await terminal.waitFor(focused("Amount"));
  terminal.send("+1e3");
  await terminal.waitFor("without an exponent");
  terminal.press("ctrl-u");
  terminal.send("+10.505");
  await terminal.waitFor("More than 2 decimal places");
  terminal.press("tab");
  await terminal.waitFor(focused("Type"));
  await terminal.waitFor(/Amount +10\.505/);
  terminal.send("SUPLY_CHARGE");
  await terminal.waitFor(/Did\s+you\s+mean\s+SUPPLY_CHARGE\?/);
  terminal.press("ctrl-u", "space", "space", "space", "space");
  await terminal.waitFor(focused("Type +REPAYMENT"));
  expect(terminal.text()).not.toContain("Product code");
  terminal.press("tab", "tab", "tab");
  await terminal.waitFor(focused("Reference"));
  terminal.send("R-9");
  await terminal.waitFor(/Reference +R-9/);
  terminal.press("shift-tab", "shift-tab", "shift-tab");
  await terminal.waitFor(focused("Type +REPAYMENT"));
  terminal.press("space");
  await terminal.waitFor(focused("Type +SUPPLY_CHARGE"));
  await terminal.waitFor("Product code");
  expect(terminal.text()).toContain("Line items");
  expect(terminal.text()).not.toContain("Payment type");
  expect(terminal.text()).toMatch(/Reference +R-9/);
  expect(terminal.text()).toContain("The interface does not show it with SUPPLY_CHARGE.");
});

test("a paste of several lines keeps its blanks, stays one text and submits nothing", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", "Notes for");
  terminal.send("Called the ");
  terminal.paste("big ");
  terminal.send("customer");
  await terminal.waitFor(/Body +Called the big customer/);
  terminal.paste("\n  first line\n\tsecond line\n");
  await terminal.waitFor("first line");
  terminal.send("End");
  await terminal.waitFor(/^ +End *$/m);
  await terminal.waitFor(focused("Body"));
  terminal.press("page-down");
  await terminal.waitFor(focused(String.raw`\[ Review \]`));
  terminal.paste("\n\n");
  terminal.press("up");
  await terminal.waitFor(focused("Unpin at"));
  terminal.press("esc");
  await terminal.waitFor("Observed");
  expect(savedDrafts(folders)[0]?.value).toMatchObject({
    values: { notes: [{ body: "Called the big customer\n  first line\n\tsecond line\nEnd" }] },
  });
});

test("a hang-up in mid-form loses nothing: the next console takes the draft up again", async () => {
  await using folders = await openFolders();
  {
    await using terminal = await openForm(folders, "n", "Notes for");
    terminal.send("half a sent");
    await terminal.waitFor(/Note 1 +half a sent/);
    terminal.hangUp();
    await terminal.exit;
  }
  await using terminal = await openAccount(folders);
  terminal.press("n");
  await terminal.waitFor(/\bDraft of \d\d:\d\d restored; F9 discards it\./);
  await terminal.waitFor(/Note 1 +half a sent/);
  terminal.send("ence");
  await terminal.waitFor(/Note 1 +half a sentence/);
  terminal.press("f9");
  await terminal.waitFor("Discard this draft?");
  terminal.press("down", "enter");
  await terminal.waitFor("The draft is discarded.");
  expect(savedDrafts(folders)).toEqual([]);
});

test("a form that nothing was typed into leaves no draft", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", "Notes for");
  terminal.press("esc");
  await terminal.waitFor("Observed");
  expect(savedDrafts(folders)).toEqual([]);
});

test("what the service refused stands at its field and above the form until it is changed", async () => {
  await using folders = await openFolders();
  await mkdir(folders.state, { mode: 0o700 });
  openDrafts(await stateIn(folders.state), Date.now).save({
    id: newDraftId(),
    kind: "notes",
    profile: "sandbox",
    supplier: "ACME",
    account,
    value: {
      values: { notes: [{ body: "fine" }, { body: "refused", is_pinned: "true" }] },
      folded: ['["notes",1]'],
    },
    query: {},
    updatedAt: 0,
    refusals: [
      { path: ["notes", 1, "body"], message: "No such words here." },
      { path: [], message: "The account is closed." },
    ],
  });
  await using terminal = await openForm(folders, "n", "Notes for");
  await terminal.waitFor(focused("Body +refused"));
  const screen = await terminal.waitFor("The service: No such words here.");
  expect(screen).toContain("The service: The account is closed.");
  terminal.send("!");
  await terminal.waitForGone("No such words here.");
  expect(terminal.text()).toContain("The account is closed.");
});

test("a form keeps to ASCII where the terminal asks for it", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", "Notes for", {
    cols: 60,
    rows: 20,
    env: { LANG: "C" },
  });
  terminal.press("tab", "tab");
  await terminal.waitFor(/^> +Created at/m);
  terminal.send("2026-11-20 14:00");
  await terminal.waitFor("-> 2026-11-20T14:00:00Z");
  terminal.press("shift-tab", "shift-tab");
  await terminal.waitFor(/^> +Body/m);
  terminal.paste("one\ntwo\n");
  await terminal.waitFor(/Body +one\n +two$/m);
  terminal.press("tab");
  await terminal.waitFor("one ~ (2 lines)");
  expect(terminal.text()).toMatch(/^[\n\x20-\x7e]*$/);
});

test("a long form can be filled in at 60×15: it scrolls, and its sections fold", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "S", "Supply point for ACME", {
    cols: 60,
    rows: 15,
  });
  await terminal.waitFor(focused("Identifier"));
  terminal.send("SP-77");
  await terminal.waitFor("SP-77");
  terminal.press("up");
  await terminal.waitFor(focused("Supply point"));
  terminal.press("enter");
  await terminal.waitFor(/› Supply point/);
  terminal.press("page-down", "page-down", "page-down");
  await terminal.waitFor(focused(String.raw`\[ Review \]`));
  terminal.press("up");
  await terminal.waitFor(focused("Outage contact"));
  terminal.press("enter");
  await terminal.waitFor(/▼ Outage contact\n +Title/);
  terminal.press("ctrl-g");
  await terminal.waitFor("to correct first");
  await terminal.waitFor(focused("Customer 1"));
  expect(terminal.text()).toContain("This is empty: fill it in or remove it.");
  terminal.press("d");
  await terminal.waitForGone("Customer 1");
});
