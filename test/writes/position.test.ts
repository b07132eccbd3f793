/** The position of a journal is remembered outside its folder, by every process that uses it. */
import { cpSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { addIntent, beginAttempt } from "../../src/writes/journal/changes.ts";
import { type Journal, openJournal } from "../../src/writes/journal/open-journal.ts";
import { openPositionMemory } from "../../src/writes/journal/position.ts";
import { processLife } from "../../src/writes/owner.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import { journalFolder } from "../helpers/folders.ts";
import { notes } from "./writing.ts";

const { self } = processLife(process.pid);

async function openIn(folder: string, memoryIn: string, pid: number): Promise<Journal> {
  const journal = await openJournal({ folder, memoryIn, pid });
  onTestFinished(() => journal.close());
  return journal;
}

const beginOne = (journal: Journal) =>
  journal.commit((rows) => {
    const write = prepareWrite(notes("one"));
    const intent = { write, profile: "p", baseUrl: "https://a.example", owner: self, at: 1 };
    beginAttempt(rows, addIntent(rows, intent), self, 1);
  });

/** Reads the remembered position of the only journal in a config folder. */
function rememberedIn(memoryIn: string) {
  const [id = ""] = readdirSync(join(memoryIn, "journals"));
  const memory = openPositionMemory(memoryIn, id, 1);
  const remembered = memory.read();
  memory.close();
  return { ...remembered, mode: statSync(join(memoryIn, "journals", id)).mode & 0o777 };
}

test("an attempt is remembered when its commit resolves, in a file of the owner alone", async () => {
  const [folder, memoryIn] = [journalFolder(), journalFolder()];
  const journal = await openIn(folder, memoryIn, 1);
  expect(journal.standing).toEqual({ kind: "current" });
  for (const n of [1, 2, 3]) {
    await beginOne(journal);
    expect(rememberedIn(memoryIn)).toMatchObject({ position: n, mode: 0o600 });
  }
});

test("processes with one journal raise one position, and each finds the journal current", async () => {
  const [folder, memoryIn] = [journalFolder(), journalFolder()];
  const journals = await Promise.all([1, 2, 255].map((pid) => openIn(folder, memoryIn, pid)));
  await Promise.all(journals.flatMap((journal) => [beginOne(journal), beginOne(journal)]));
  expect(rememberedIn(memoryIn).position).toBe(6);
  expect((await openIn(folder, memoryIn, 3)).standing).toEqual({ kind: "current" });
});

test("a repair by another process counts at once", async () => {
  const [folder, memoryIn] = [journalFolder(), journalFolder()];
  const original = await openIn(folder, memoryIn, 1);
  await beginOne(original);
  const copy = journalFolder();
  cpSync(folder, copy, { recursive: true });
  await beginOne(original);
  const [console, command] = [await openIn(copy, memoryIn, 2), await openIn(copy, memoryIn, 3)];
  const older = { kind: "older", attempts: 1 };
  expect([console.standing, command.standing]).toEqual([older, older]);
  await command.accept("compared", 1);
  expect([console.standing, command.standing]).toEqual([{ kind: "current" }, { kind: "current" }]);
  await beginOne(console);
  expect((await openIn(copy, memoryIn, 4)).standing).toEqual({ kind: "current" });
});

test("a damaged or empty memory counts as nothing remembered", async () => {
  const memoryIn = journalFolder();
  const memory = openPositionMemory(memoryIn, "an-id", 7);
  onTestFinished(() => memory.close());
  expect(memory.read()).toEqual({ position: 0, file: null });
  memory.remember(12);
  expect(memory.read()).toEqual({ position: 12, file: null });
  memory.rememberFile("44 1700000000000000000");
  expect(memory.read()).toEqual({ position: 12, file: "44 1700000000000000000" });
});

test("a journal without a config folder is current and remembers nothing", async () => {
  const folder = journalFolder();
  const journal = await openJournal({ folder });
  await beginOne(journal);
  await journal.close();
  expect((await openIn(folder, journalFolder(), 1)).standing).toEqual({ kind: "current" });
});
