import { Transcript } from "../../src/screens/shell/transcript.ts";
import { linearSigns } from "../../src/text/linear-signs.ts";
import { fakeClock } from "../helpers/clock.ts";

/** A screen that can be drawn over, and everything that was printed of it. */
function opened() {
  const clock = fakeClock();
  let printed = "";
  const transcript = new Transcript((text) => {
    printed += text;
  }, clock);
  const current = (line: string) => line + linearSigns.current;
  const typed = (line: string) => line + linearSigns.typed;
  return {
    current,
    typed,
    transcript,
    clock,
    /** Draws lines, and lets the screen stand still. */
    async draw(...lines: readonly string[]) {
      transcript.show(lines.join("\n"));
      await clock.advance(200);
    },
    /** Returns the output since the last call. */
    news() {
      const since = printed;
      printed = "";
      return since;
    },
  };
}

describe("a linear screen", () => {
  test("says a place as a whole, without the blanks that align it and without colors", async () => {
    const screen = opened();
    await screen.draw("Suppliers", "", "\x1b[32mACME\x1b[39m      44 pending", "  \t");
    expect(screen.news()).toBe("\nSuppliers\nACME  44 pending\n");
  });

  test("prints only what has changed, once", async () => {
    const screen = opened();
    await screen.draw("Account", "PENDING", "Created today");
    screen.news();
    await screen.draw("Account", "COMPLETED", "Created today");
    expect(screen.news()).toBe("COMPLETED\n");
    await screen.draw("Account", "COMPLETED", "Created today");
    expect(screen.news()).toBe("");
  });

  test("a linear screen prints text that reappears", async () => {
    const screen = opened();
    await screen.draw("Account", "PENDING");
    await screen.draw("Account", "IMPORTING");
    screen.news();
    await screen.draw("Account", "PENDING");
    expect(screen.news()).toBe("PENDING\n");
  });

  test("a linear screen prints repeated lines as often as they appear", async () => {
    const screen = opened();
    await screen.draw("Account", "failed");
    screen.news();
    await screen.draw("Account", "failed", "failed");
    expect(screen.news()).toBe("failed\n");
  });

  test("does not say an age that grows or a countdown", async () => {
    const screen = opened();
    await screen.draw("Account", "PENDING  looked just now, next in 5 s", "seen for under 1 s");
    screen.news();
    await screen.draw("Account", "PENDING  looked 4 s ago, next in 1 s", "seen for 4 s");
    await screen.draw(
      "Account",
      "PENDING  looked 1 min 2 s ago, next in 3 s",
      "seen for 2 h 04 min",
    );
    expect(screen.news()).toBe("");
  });

  test("a linear screen prints a new place completely", async () => {
    const screen = opened();
    await screen.draw("Suppliers", "Profile test.");
    screen.news();
    await screen.draw("Activity", "Profile test.");
    expect(screen.news()).toBe("\nActivity\nProfile test.\n");
  });

  test("waits until a screen stands still, and prints the last of it", async () => {
    const screen = opened();
    await screen.draw("List");
    screen.news();
    for (const share of [10, 40, 70]) {
      screen.transcript.show(`List\n${share} %`);
      await screen.clock.advance(50);
    }
    expect(screen.news()).toBe("");
    await screen.clock.advance(200);
    expect(screen.news()).toBe("70 %\n");
  });

  test("prints a screen that never stands still every few seconds", async () => {
    const screen = opened();
    await screen.draw("List");
    screen.news();
    for (let share = 0; share < 250; share++) {
      screen.transcript.show(`List\n${share} %`);
      await screen.clock.advance(100);
    }
    expect(screen.news().match(/\d+ %\n/g)).toHaveLength(2);
  });

  test("says the row the cursor comes to, and no other", async () => {
    const screen = opened();
    const rows = ["1. A", "2. B", "3. C"];
    await screen.draw("List", ...rows, screen.current("1. A"));
    expect(screen.news()).toBe("\nList\n1. A\n2. B\n3. C\n");
    await screen.draw("List", ...rows, screen.current("3. C"));
    expect(screen.news()).toBe("3. C\n");
  });

  test("says a row under the cursor that changes once", async () => {
    const screen = opened();
    await screen.draw("List", "1. A", "2. B", screen.current("2. B"));
    screen.news();
    await screen.draw("List", "1. A", "2. B, marked", screen.current("2. B, marked"));
    expect(screen.news()).toBe("2. B, marked\n");
  });

  test("says on another page of a list where the cursor is, unless it is on the first row", async () => {
    const screen = opened();
    await screen.draw("List", "1. A", "2. B", screen.current("1. A"));
    screen.news();
    await screen.draw("List", "3. C", "4. D", screen.current("4. D"));
    expect(screen.news()).toBe("3. C\n4. D\n4. D\n");
    await screen.draw("List", "5. E", "6. F", screen.current("5. E"));
    expect(screen.news()).toBe("5. E\n6. F\n");
  });

  test("echoes what is typed at the end of its line at once, and nothing of it twice", async () => {
    const screen = opened();
    await screen.draw("Form", "Body:", screen.typed("Body:"));
    expect(screen.news()).toBe("\nForm\nBody:");
    screen.transcript.show(`Form\nBody: H\n${screen.typed("Body: H")}`);
    expect(screen.news()).toBe(" H");
    screen.transcript.show(`Form\nBody: Hi\n${screen.typed("Body: Hi")}`);
    expect(screen.news()).toBe("i");
    await screen.clock.advance(5_000);
    expect(screen.news()).toBe("");
    await screen.draw("Form", "Body: Hi", "Pinned: no", screen.current("Pinned: no"));
    expect(screen.news()).toBe("\nPinned: no\n");
  });

  test("says a typed line as a whole when something was taken out of it", async () => {
    const screen = opened();
    await screen.draw("Form", screen.typed("Body: Hi"));
    screen.news();
    await screen.draw("Form", screen.typed("Body: H"));
    expect(screen.news()).toBe("\nBody: H");
  });

  test("changes next to a text field are announced after a pause in typing", async () => {
    const screen = opened();
    await screen.draw("List", "1. A", "2. B", screen.typed("/"));
    screen.news();
    screen.transcript.show(`List\n1. B\n${screen.typed("/ B")}`);
    await screen.clock.advance(300);
    expect(screen.news()).toBe(" B");
    await screen.clock.advance(1_000);
    // The text is said again behind it: the cursor stands where the next letter goes.
    expect(screen.news()).toBe("\n1. B\n/ B");
    screen.transcript.show(`List\n1. B\n${screen.typed("/ Be")}`);
    expect(screen.news()).toBe("e");
  });

  test("a linear screen is printed again on request", async () => {
    const screen = opened();
    await screen.draw("Account", "COMPLETED");
    screen.news();
    screen.transcript.repeat();
    expect(screen.news()).toBe("\nAccount\nCOMPLETED\n");
  });

  test("ends its line before another program prints", async () => {
    const screen = opened();
    await screen.draw("Form", screen.typed("Body: Hi"));
    screen.news();
    screen.transcript.settle();
    expect(screen.news()).toBe("\n");
  });
});
