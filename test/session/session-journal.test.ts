/** The console sees entries of ended processes as unknown, whatever the disk accepts. */
import { join } from "node:path";
import { sessionJournal } from "../../src/session/session-journal.ts";
import { outcomeOf } from "../../src/writes/activity.ts";
import { addIntent, beginAttempt } from "../../src/writes/journal/changes.ts";
import { readEntry } from "../../src/writes/journal/entry.ts";
import { openJournal } from "../../src/writes/journal/open-journal.ts";
import type { Writes } from "../../src/writes/open-writes.ts";
import { type Owner, processLife } from "../../src/writes/owner.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import { fakeClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { noLedger } from "../helpers/no-ledger.ts";
import { openSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";
import { writeService } from "../writes/write-service.ts";
import { notes } from "../writes/writing.ts";

const baseUrl = "https://api.example.com";
const { self } = processLife(process.pid);
const ended: Owner = { ...self, startedAt: `${self.startedAt}0` };
const { signal } = new AbortController();

/** Records an entry that `owner` is sending. */
async function recordSending(folder: string, owner: Owner): Promise<void> {
  const journal = await openJournal({ folder });
  await journal.commit((rows) => {
    const write = prepareWrite(notes("one"));
    beginAttempt(rows, addIntent(rows, { write, profile: "p", baseUrl, owner, at: 1 }), owner, 1);
  });
  await journal.close();
}

function journalOfSession(folder: string) {
  const clock = fakeClock();
  const service = writeService(baseUrl, { token: "t" }, clock);
  const journal = sessionJournal({
    folder,
    memoryIn: journalFolder(),
    service,
    profile: { name: "p" },
    teamDriver: { env: {}, home: folder, profiles: () => [], load: noLedger },
    pid: process.pid,
    clock,
  });
  onTestFinished(async () => {
    await journal.close();
    await service.close();
  });
  return { journal, clock };
}

const stateOf = (writes: Writes | null) =>
  writes && outcomeOf(writes.context.journal.read((rows) => readEntry(rows, 1))?.state ?? "intent");

test.each([
  ["full", (disk: SmallDisk) => disk.fill()],
  ["read-only", (disk: SmallDisk) => disk.makeReadOnly()],
])(
  "an entry of an ended process is unknown on a disk that is %s, and nothing is sent",
  async (_, make) => {
    using disk = openSmallDisk();
    if (disk === null) return;
    const folder = join(disk.path, "state");
    await recordSending(folder, ended);
    make(disk);
    const { journal } = journalOfSession(folder);
    const writes = await journal.read(signal);
    expect(stateOf(writes)).toBe("unknown");
    expect(await journal.read(signal)).toBe(writes);
    await expect(journal.open()).rejects.toMatchObject({ about: "journal" });
    await expect(writes?.context.journal.commit(() => {})).rejects.toMatchObject({
      about: "journal",
    });
  },
);

test("an entry whose process ends while the console is open becomes unknown", async () => {
  const folder = journalFolder();
  await recordSending(folder, self);
  const { journal, clock } = journalOfSession(folder);
  expect(stateOf(await journal.read(signal))).toBe("sending");
  const other = await openJournal({ folder });
  await other.commit((rows) =>
    rows.run("UPDATE intent SET owner = ?", JSON.stringify(Object.values(ended))),
  );
  await other.close();
  await clock.advance(5_000);
  expect(stateOf(await journal.read(signal))).toBe("unknown");
});

test("a folder without a journal has none to read", async () => {
  const { journal } = journalOfSession(journalFolder());
  expect(await journal.read(signal)).toBeNull();
});
