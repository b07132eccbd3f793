import { mkdir } from "node:fs/promises";
import { newDraftId, openDrafts } from "../../src/state/drafts.ts";
import { openFolders } from "../helpers/folders.ts";
import { stateIn } from "../helpers/state.ts";
import { account, focused, openAccount, openForm, savedDrafts } from "./composing.ts";

test("a note is composed: what is left empty is not sent, times are shown as they will be sent", async () => {
  const folders = await openFolders();
  const terminal = await openForm(folders, "n", `Notes for ACME/${account}`);
  await terminal.waitFor(focused("Body"));
  await terminal.send("Called the customer").until("Called the customer");
  await terminal.press("tab").until(focused("Documents"));
  await terminal.press("tab").until(focused("Created at"));
  await terminal.send("2026-11-20 14:00").until("→ 2026-11-20T14:00:00Z");
  await terminal.press("tab").until(focused("Pinned"));
  await terminal.waitFor(/Created at +2026-11-20T14:00:00Z/);
  await terminal.press("space").until(/Pinned +yes/);
  await terminal.press("tab").until(focused("Unpin at"));
  await terminal.send("soon").until("Write a time such as");
  await terminal.press("ctrl-u").untilGone("Write a time such as");
  await terminal.press("tab").until(focused(String.raw`\[ Review \]`));
  await terminal.press("enter").untilGone("[ Review ]");
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
  const folders = await openFolders();
  const terminal = await openForm(folders, "p", "Payment instruction for");
  await terminal.waitFor(focused("Vendor"));
  expect(terminal.text()).not.toContain("supplyline expects this field");
  await terminal
    .press("page-down", "enter")
    .until("Review it without 3 fields that supplyline expects?");
  await terminal.waitFor(/whether\s+they\s+can\s+be\s+left\s+out/);
  await terminal.press("n").until(focused("Vendor"));
  expect(terminal.text().match(/! supplyline expects this field/g)).toHaveLength(3);
  await terminal
    .send("STRIPE")
    .until((text) => text.match(/supplyline expects this field/g)?.length === 2, {
      describe: "two fields that are missing",
    });
});

test("rows are added, duplicated, moved and removed, which asks when something is filled in", async () => {
  const folders = await openFolders();
  const terminal = await openForm(folders, "n", "Notes for");
  await terminal.send("one").until(/Note 1 +one/);
  await terminal.press("up").until(focused("Note 1"));
  await terminal.press("=").until(focused("Note 2 +one"));
  await terminal.press("a").until("Note 3");
  await terminal.waitFor(focused("Body"));
  await terminal.send("three").until(/Note 3 +three/);
  await terminal.press("up").until(focused("Note 3 +three"));
  await terminal.press("K").until(focused("Note 2 +three"));
  await terminal.press("enter").until(/› Note 2 +three/);
  await terminal.press("d").until("Remove Note 2?");
  await terminal.press("down", "enter").until(/Notes +2/);
  expect(terminal.text()).not.toContain("three");
  await terminal.press("esc").until("Observed");
  expect(savedDrafts(folders)[0]?.value).toMatchObject({
    values: { notes: [{ body: "one" }, { body: "one" }] },
  });
});

test("a transaction shows the fields of its type; one of another type stays while it is filled in", async () => {
  const folders = await openFolders();
  const terminal = await openForm(folders, "t", "Transactions for", { rows: 40 });
  expect(terminal.text()).not.toContain("Product code");
  terminal.send("T-1");
  await terminal.press("tab").until(focused("Date"));
  await terminal.send("today").until(/→ \d{4}-\d{2}-\d{2}/);
  await terminal.press("tab").until(focused("Amount"));
  await terminal.send("+1e3").until("without an exponent");
  terminal.press("ctrl-u");
  await terminal.send("+10.505").until("More than 2 decimal places");
  await terminal.press("tab").until(focused("Type"));
  await terminal.waitFor(/Amount +10\.505/);
  await terminal.send("SUPLY_CHARGE").until(/Did\s+you\s+mean\s+SUPPLY_CHARGE\?/);
  await terminal
    .press("ctrl-u", "space", "space", "space", "space")
    .until(focused("Type +REPAYMENT"));
  expect(terminal.text()).not.toContain("Product code");
  await terminal.press("tab", "tab", "tab").until(focused("Reference"));
  await terminal.send("R-9").until(/Reference +R-9/);
  await terminal.press("shift-tab", "shift-tab", "shift-tab").until(focused("Type +REPAYMENT"));
  await terminal.press("space").until(focused("Type +SUPPLY_CHARGE"));
  await terminal.waitFor("Product code");
  expect(terminal.text()).toContain("Line items");
  expect(terminal.text()).not.toContain("Payment type");
  expect(terminal.text()).toMatch(/Reference +R-9/);
  expect(terminal.text()).toContain("The interface does not show it with SUPPLY_CHARGE.");
});

test("a paste of several lines keeps its blanks, stays one text and submits nothing", async () => {
  const folders = await openFolders();
  const terminal = await openForm(folders, "n", "Notes for");
  terminal.send("Called the ");
  terminal.paste("big ");
  await terminal.send("customer").until(/Body +Called the big customer/);
  await terminal.paste("\n  first line\n\tsecond line\n").until("first line");
  await terminal.send("End").until(/^ +End *$/m);
  await terminal.waitFor(focused("Body"));
  await terminal.press("page-down").until(focused(String.raw`\[ Review \]`));
  terminal.paste("\n\n");
  await terminal.press("up").until(focused("Unpin at"));
  await terminal.press("esc").until("Observed");
  expect(savedDrafts(folders)[0]?.value).toMatchObject({
    values: { notes: [{ body: "Called the big customer\n  first line\n\tsecond line\nEnd" }] },
  });
});

test("a hang-up in mid-form loses nothing: the next console takes the draft up again", async () => {
  const folders = await openFolders();
  {
    await using terminal = await openForm(folders, "n", "Notes for");
    await terminal.send("half a sent").until(/Note 1 +half a sent/);
    terminal.hangUp();
    await terminal.exit;
  }
  const terminal = await openAccount(folders);
  await terminal.press("n").until(/\bDraft of \d\d:\d\d restored; F9 discards it\./);
  await terminal.waitFor(/Note 1 +half a sent/);
  await terminal.send("ence").until(/Note 1 +half a sentence/);
  await terminal.press("f9").until("Discard this draft?");
  await terminal.press("down", "enter").until("The draft is discarded.");
  expect(savedDrafts(folders)).toEqual([]);
});

test("a form that nothing was typed into leaves no draft", async () => {
  const folders = await openFolders();
  const terminal = await openForm(folders, "n", "Notes for");
  await terminal.press("esc").until("Observed");
  expect(savedDrafts(folders)).toEqual([]);
});

test("what the service refused stands at its field and above the form until it is changed", async () => {
  const folders = await openFolders();
  await mkdir(folders.state, { mode: 0o700 });
  openDrafts(await stateIn(folders.state), Date.now).save({
    id: newDraftId(),
    kind: "notes",
    profile: "sandbox",
    service: "embedded",
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
  const terminal = await openForm(folders, "n", "Notes for");
  await terminal.waitFor(focused("Body +refused"));
  const screen = await terminal.waitFor("The service: No such words here.");
  expect(screen).toContain("The service: The account is closed.");
  await terminal.send("!").untilGone("No such words here.");
  expect(terminal.text()).toContain("The account is closed.");
});

test("a form keeps to ASCII where the terminal asks for it", async () => {
  const folders = await openFolders();
  const terminal = await openForm(folders, "n", "Notes for", {
    cols: 60,
    rows: 20,
    env: { LANG: "C" },
  });
  await terminal.press("tab", "tab").until(/^> +Created at/m);
  await terminal.send("2026-11-20 14:00").until("-> 2026-11-20T14:00:00Z");
  await terminal.press("shift-tab", "shift-tab").until(/^> +Body/m);
  await terminal.paste("one\ntwo\n").until(/Body +one\n +two$/m);
  await terminal.press("tab").until("one ~ (2 lines)");
  expect(terminal.text()).toMatch(/^[\n\x20-\x7e]*$/);
});

test("a long form can be filled in at 60×15: it scrolls, and its sections fold", async () => {
  const folders = await openFolders();
  const terminal = await openForm(folders, "S", "Supply point for ACME", {
    cols: 60,
    rows: 15,
  });
  await terminal.waitFor(focused("Identifier"));
  await terminal.send("SP-77").until("SP-77");
  await terminal.press("up").until(focused("Supply point"));
  await terminal.press("enter").until(/› Supply point/);
  await terminal
    .press("page-down", "page-down", "page-down")
    .until(focused(String.raw`\[ Review \]`));
  await terminal.press("up").until(focused("Outage contact"));
  await terminal.press("enter").until(/▼ Outage contact\n +Title/);
  await terminal.act("review").until("to correct first");
  await terminal.waitFor(focused("Customer 1"));
  expect(terminal.text()).toContain("This is empty: fill it in or remove it.");
  await terminal.press("d").untilGone("Customer 1");
});
