import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openForm } from "./reviewing.tsx";

let service: TestSandbox;
beforeEach(async () => {
  service = await openSandbox({ speed: 20 });
});

const letters = "PAqWL:?xreDdaOUTXHfgGjk019-/";

const sound = { transaction_id: "T-1", transaction_date: "2026-11-20", amount: "1.00" };

function transactions(row: Record<string, string> = {}, cols = 100) {
  return openForm({
    service,
    kind: "transactions",
    values: { transactions: [{ ...sound, ...row }] },
    cols,
  });
}

test("no line moves as the cursor goes from field to field, also at 60×15", async () => {
  const { screen } = await openForm({
    service,
    kind: "transactions",
    values: { transactions: [sound] },
    cols: 60,
    rows: 15,
  });
  await screen.waitFor(/▌\s+\S/);
  /** The lines above the edge of the help, without what marks the one in focus. */
  const lines = () =>
    screen
      .screen()
      .slice(2, -5)
      .map((line) => line.replace("▌", " ").replace(/ {2}a adds one$/, ""));
  await screen.press("page-up", "page-up").until(/▌ . Transactions/);
  const before = lines();
  await screen.press("down", "down").until(/▌\s+Transaction ID/);
  expect(screen.text()).toContain("Its identifier in the source system");
  expect(lines()).toEqual(before);
  await screen.press("page-down", "page-down").until(/▌\s+\[ Review \]/);
});

describe("a field with known values", () => {
  /** At the field Type of a transaction, which is empty. */
  async function atType() {
    const form = await transactions();
    await form.screen.waitFor("Transaction ID");
    await form.screen.press("f8").until(/▌\s+Type /);
    return form;
  }

  test("is typed in place, and left with the arrows like any field", async () => {
    const { screen, drafts, draft } = await atType();
    expect(screen.text()).toContain(
      "Known: CHARGE, CREDIT, PAYMENT, REPAYMENT, SUPPLY_CHARGE. Space takes the next.",
    );
    screen.send("REBATE q");
    await screen.press("left", "backspace", "up").until(/▌\s+Amount/);
    expect(screen.text()).toMatch(/Type\s+REBATEq/);
    await expect
      .poll(() => JSON.stringify(drafts.find(draft)?.value))
      .toContain('"type":"REBATEq"');
  });

  test("takes the offered value with Tab, and the next Tab goes on", async () => {
    const { screen } = await atType();
    await screen.send("cr").until("Tab takes CREDIT.");
    await screen.press("tab").until(/▌\s+Type\s+CREDIT/);
    expect(screen.text()).not.toContain("Tab takes");
    await screen.press("tab").until(/▌\s+Reason/);
  });

  test("takes a value that is typed and completed before the next frame", async () => {
    const form = await atType();
    await form.screen.send("REP\t").until(/▌\s+Type\s+REPAYMENT/);
  });

  test("is turned by Space until something is typed", async () => {
    const { screen } = await atType();
    await screen.press("space", "space").until(/▌\s+Type\s+CREDIT/);
    await screen.press("space", "space", "space", "space", "space").until(/▌\s+Type\s+CHARGE/);
    screen.press("ctrl-u");
    await screen.send("CREDIT NOTE").until(/▌\s+Type\s+CREDIT NOTE/);
    await screen.press("enter").until(/▌\s+Reason/);
    // A text of one's own is never replaced.
    await screen.press("up", "space").until(/▌\s+Type\s+CREDIT NOTE/);
  });

  test("a yes/no field accepts y or n and shows the word after it loses focus", async () => {
    const { screen, drafts, draft } = await transactions({ type: "CHARGE" });
    await screen.waitFor("Transaction ID");
    await screen.press("page-down", "page-down", "up", "up").until(/▌\s+Skip transactions/);
    await screen.send("n").until(/Skip transactions already added\s+n\s+▼\s+→ no/);
    await screen.press("down").until(/Skip transactions already added\s+no/);
    await screen.send("maybe").until("Write yes or no.");
    await expect.poll(() => drafts.find(draft)?.query).toEqual({ check_previously_added: false });
  });

  test("takes a paste without the blanks around it", async () => {
    const form = await atType();
    await form.screen.paste("  REBATE-2026\n").until(/▌\s+Type\s+REBATE-2026/);
  });
});

describe("no letter leaves a form", () => {
  test.each(["header", "button"])("from a %s", async (where) => {
    const { screen } = await transactions({ type: "CHARGE" });
    await screen.waitFor("Transaction ID");
    screen.press(where === "button" ? "page-down" : "page-up");
    const at = where === "button" ? /▌\s+\[ Review \]/ : /▌\s+▼ Transactions/;
    await screen.waitFor(at);
    const typed = where === "button" ? `${letters}KJ=s` : letters.replace("a", "");
    for (const letter of [...typed, "space"]) {
      screen.press(letter);
      expect(await screen.waitFor(at)).toContain("Transactions for ACME/EXT-0000001");
    }
    const shown = await screen.waitFor("takes no text");
    expect(shown).toContain(`The cursor is on ${where === "button" ? "Review" : "Transactions"}`);
    await screen.press(where === "button" ? "up" : "down").untilGone("takes no text");
  });

  test("and a row has only its own keys", async () => {
    const { screen } = await transactions({ type: "CHARGE" });
    await screen.waitFor("Transaction ID");
    await screen.press("page-up").until(/▌\s+▼ Transactions/);
    await screen.press("down").until(/▌\s+▼ Transaction 1/);
    for (const letter of letters.replace(/[ad]/g, "")) {
      await screen.press(letter).until(/▌\s+▼ Transaction 1/);
    }
    await screen.waitFor("= copies it, d removes it");
    await screen.press("=").until(/▌\s+▼ Transaction 2/);
    await screen.press("K").until(/▌\s+▼ Transaction 1/);
    expect(screen.text()).toMatch(/Transactions\s+2/);
  });
});

describe("Enter and Tab", () => {
  test("stop where a row can be added, and lead through the whole form", async () => {
    const { screen } = await transactions({ type: "SUPPLY_CHARGE", product_code: "P" }, 120);
    await screen.waitFor("Transaction ID");
    const seen: string[] = [];
    // Neighbouring rows can have the same label, so the mark is compared by its line.
    const marked = (text: string) => text.split("\n").findIndex((line) => line.includes("▌"));
    for (let step = 0; step < 20; step++) {
      const text = screen.text();
      const line = /▌\s+(.+?)(?: {2}|$)/m.exec(text)?.[1] ?? "";
      seen.push(line);
      if (line === "[ Review ]") break;
      const before = marked(text);
      await screen.press("enter").until((next) => marked(next) !== before && marked(next) >= 0);
    }
    expect(seen.at(-1)).toBe("[ Review ]");
    expect(seen).toEqual(expect.arrayContaining(["Line items", "Tax items"]));
  });

  test("add a row by its key there, and show what the rows come to", async () => {
    const form = await openForm({
      service,
      kind: "transactions",
      values: {
        transactions: [
          {
            ...sound,
            amount: "12.50",
            type: "SUPPLY_CHARGE",
            product_code: "P",
            line_items: [{ net_amount: "12" }],
            tax_items: [{ amount: "2.5" }],
          },
        ],
      },
      rows: 50,
    });
    const shown = await form.screen.waitFor("Line items  1  sum 12");
    expect(shown).toContain("Tax items  1  sum 2.5");
    expect(shown).toContain("Transactions  1  sum 12.50");
    expect(shown).toMatch(
      /Warning: Line items 12 \+ tax items 2\.5 = 14\.5; the amount is\s+12\.50\./,
    );
  });
});

describe("the help in a form", () => {
  test("opens from a text field with F1, and lists the keys as they are there", async () => {
    const { screen } = await transactions();
    expect(await screen.waitFor("F1 help")).toContain("Transaction ID");
    await screen.press("page-up").until(/▌\s+▼ Transactions/);
    const help = await screen.press("f1").until("Keys on Form");
    expect(help).toMatch(/Enter\s+fold/);
    const all = await screen.press("tab", "tab").until("Works here");
    expect(all).toMatch(/Enter\s+Fold or unfold/);
    expect(all).not.toContain("Mark or unmark");
    await screen.press("f1").until(/▌\s+▼ Transactions/);
  });

  test.each(["\x1bOP", "\x1b[11~", "\x1b[[A"])("hears F1 sent as %j", async (bytes) => {
    const form = await transactions();
    await form.screen.waitFor("F1 help");
    await form.screen.send(bytes).until("Keys on Form");
  });
});

describe("notices of a form", () => {
  test("go when what they say is over", async () => {
    const { screen } = await transactions({ type: "CHARGE", amount: "12,50" });
    await screen.waitFor("Transaction ID");
    await screen.act("review").until("1 problem to correct first");
    await screen.waitFor(/▌\s+Amount/);
    screen.press("ctrl-u");
    await screen.send("12.50").until((text) => !text.includes("to correct first"));
    screen.act("review");
    expect(await screen.waitFor("s send now")).not.toContain("to correct first");
  });
});

describe("F8", () => {
  test("goes to the next line with a problem, also into what is folded, and round", async () => {
    const { screen } = await openForm({
      service,
      kind: "transactions",
      values: {
        transactions: [
          { ...sound, type: "CHARGE", amount: "1,5" },
          { ...sound, transaction_id: "T-2", type: "CHARGE", transaction_date: "soon" },
        ],
      },
    });
    await screen.waitFor("Transaction ID");
    await screen.press("page-up").until(/▌\s+▼ Transactions/);
    await screen.press("f8").until(/▌\s+Amount/);
    await screen.press("f8").until(/▌\s+Date\s+soon/);
    await screen.press("f8").until(/▌\s+Amount\s+1,5/);
  });

  test("says when there is none", async () => {
    const form = await transactions({ type: "CHARGE" });
    await form.screen.waitFor("Transaction ID");
    await form.screen.press("f8").until("No problem and no warning in this form.");
  });
});

describe("what supplyline expects and the interface does not call required", () => {
  test("is asked about once, and then reviewed and sent without", async () => {
    const { screen, drafts, draft } = await transactions();
    await screen.waitFor("Transaction ID");
    const asked = await screen
      .act("review")
      .until("Review it without 1 field that supplyline expects?");
    expect(asked).toContain("Transaction 1 › Type");
    expect(asked).toContain("whether it can be left out");
    const review = await screen.press("y").until("s send now");
    expect(review).toContain("Transaction 1 › Type: supplyline expects this field");
    expect(review).not.toContain('"type"');
    expect(drafts.find(draft)?.allowMissing).toBe(true);
    await screen.press("x").until("--allow-missing");
  });

  test("is asked about again once the form has changed", async () => {
    const { screen } = await transactions();
    await screen.waitFor("Transaction ID");
    await screen.act("review").until("Review it without 1 field");
    await screen.press("y").until("s send now");
    await screen.press("esc").until(/▌\s+Type/);
    await screen.press("up").until(/▌\s+Amount/);
    await screen.send("1").until("1.001");
    await screen.act("review").until("Review it without 1 field");
    await screen.press("n").until(/▌\s+Type/);
  });
});

test("a draft that waits is named where its form is opened, and leaving says that it is saved", async () => {
  const { screen } = await openForm({
    service,
    kind: "notes",
    values: { notes: [{ body: "Half a sent" }] },
    cols: 180,
  });
  await screen.waitFor(/▌\s+Body/);
  await screen.press("esc").until("n note ·draft");
  expect(screen.text()).toContain("Draft saved");
  expect(screen.text()).toContain("t transactions ");
  await screen.press("?").until(/Keys on Account.*n +note ·draft/s);
  await screen.press("esc").untilGone("Keys on");
  screen.press(":");
  await screen.send("note").until(/note ·draft.*Write notes/);
  await screen.press("esc").untilGone("Write notes");
  await screen.press("n").until(/▌\s+Body/);
  await screen.press("f9").until("Discard this draft?");
  await screen.press("y").until(/n note {2}/);
});

test("at 80 columns, too, the key with a draft is in the footer", async () => {
  const form = await transactions({}, 80);
  await form.screen.waitFor("Transaction ID");
  await form.screen.press("esc").until(/^Esc.*t transactions ·draft.*q quit/m);
});

test("a draft is discarded with F9 and y, and kept with n", async () => {
  const { screen, drafts, draft } = await transactions({ type: "CHARGE" });
  await screen.waitFor("Transaction ID");
  await screen.press("f9").until("Discard this draft?");
  await screen.press("n").untilGone("Discard this draft?");
  expect(drafts.find(draft)).not.toBeNull();
  await screen.press("f9").until("Discard this draft?");
  await screen.press("x", "1", "y").until("The draft is discarded.");
  expect(drafts.find(draft)).toBeNull();
});

test("a supply point has one head, and its problems are named by their labels", async () => {
  const form = await openForm({
    service,
    kind: "supply-points",
    values: { supply_point: { identifier: "SP-1" } },
    rows: 50,
  });
  const shown = await form.screen.waitFor("Identifier");
  expect(shown.match(/▼ Supply point/g)).toHaveLength(1);
  form.screen.act("review");
  expect(await form.screen.waitFor("marked !")).toContain("Warning: Supply type is empty");
});

test("a long label is shown whole at 80 columns, with what the service takes beside it", async () => {
  const form = await transactions({}, 80);
  await form.screen.waitFor(/Skip transactions already added +▼ not sent \(= yes\)/);
});
