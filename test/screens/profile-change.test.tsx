import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings, type Settings } from "../../src/settings/settings.ts";
import { noteRequest, openBulk, recordedRun } from "../bulk/bulking.ts";
import { sentBefore } from "../flows/sent-before.ts";
import { fakeClock, passing } from "../helpers/clock.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { notes, statement } from "../writes/writing.ts";
import { openConsoleAt } from "./opened-console.tsx";
import { openReview } from "./reviewing.tsx";

let service: TestSandbox;
let folders: Folders;
/** The settings as another program has them. */
let settings: Settings;
beforeEach(async () => {
  service = await openSandbox({ speed: 20 });
  folders = await openFolders();
  settings = openSettings({ configDir: folders.config });
});
const landed = () => service.ledger().filter(({ cause }) => cause === "request");

const stored = (more: object = {}) =>
  profileFrom({ name: "p", baseUrl: service.baseUrl, environment: "test", ...more });

const elsewhere = "https://elsewhere.example";

async function reviewing(more: object = {}) {
  settings.add(stored(more));
  const review = await openReview({
    service,
    folders,
    profile: "p",
    kind: "notes",
    values: { notes: [{ body: "Written before" }] },
  });
  return review;
}

describe("a profile that was changed elsewhere while its review stands open", () => {
  test.each<[string, () => void, says: string, header: RegExp]>([
    [
      "labeled production",
      () => settings.update("p", { environment: "production" }),
      "The profile p is now labeled production. Nothing was sent.",
      / PROD/,
    ],
    [
      "set read-only",
      () => settings.update("p", { readOnly: true }),
      "The profile p is now read-only. Nothing was sent.",
      /read-only/,
    ],
    [
      "removed and added again as read-only production",
      () => {
        settings.remove("p");
        settings.add(stored({ environment: "production", readOnly: true }));
      },
      "The profile p is now labeled production and read-only. Nothing was sent.",
      / PROD .*read-only/,
    ],
    [
      "removed",
      () => settings.remove("p"),
      "The profile p was removed. Nothing was sent.",
      /profile removed/,
    ],
    [
      "moved to another address",
      () => settings.update("p", { baseUrl: elsewhere }),
      `The profile p now points to ${elsewhere}. Nothing was sent.`,
      /profile changed/,
    ],
    [
      "given another credential helper",
      () => settings.update("p", { credentialHelper: "print-key" }),
      "The connection settings of p were changed. Nothing was sent.",
      /profile changed/,
    ],
  ])("%s: s sends nothing, and the header shows it", async (_how, change, says, header) => {
    const { screen } = await reviewing();
    await screen.waitFor("s send now");
    change();
    await screen.act("send").until(says);
    await screen.waitFor(header);
    await screen.act("send").until("Written before");
    expect(landed()).toHaveLength(0);
  });

  test("with another supplier code: it is sent as if nothing had happened", async () => {
    const { screen } = await reviewing();
    await screen.waitFor("s send now");
    settings.addSupplier("p", "OTHER");
    await screen.act("send").until(/confirmed[^\n]* entry 1\b/);
    expect(landed()).toHaveLength(1);
  });

  test("unlocked production that is set read-only: nothing is sent, and it cannot be unlocked", async () => {
    const { screen } = await reviewing({ environment: "production" });
    await screen.waitFor("U unlocks them");
    await screen.press("U").until("Unlock writes");
    await screen.send("p").until("name  p");
    await screen.press("enter").until("after you type EXT-0000001");
    settings.update("p", { readOnly: true });
    await screen.act("send").until("The profile p is now read-only. Nothing was sent.");
    await screen.waitFor("Writes cannot be unlocked: the profile p is read-only");
    expect(landed()).toHaveLength(0);
  });

  test("a question that stood open when it was set read-only sends nothing", async () => {
    const { screen } = await reviewing({ environment: "production" });
    await screen.waitFor("U unlocks them");
    await screen.press("U").until("Unlock writes");
    await screen.send("p").until("name  p");
    await screen.press("enter").until("after you type EXT-0000001");
    await screen.act("send").until("(PRODUCTION, 127.0.0.1");
    await screen.send("EXT-0000001").until("Account number  EXT-0000001");
    settings.update("p", { readOnly: true });
    await screen.press("enter").until("The profile p is now read-only. Nothing was sent.");
    expect(landed()).toHaveLength(0);
  });

  test("unlocking production that was set read-only says so, and asks for nothing", async () => {
    const { screen } = await reviewing({ environment: "production" });
    await screen.waitFor("U unlocks them");
    settings.update("p", { readOnly: true });
    await screen.press("U").until("The profile p is now read-only.");
    expect(screen.text()).not.toContain("Unlock writes");
  });
});

describe("a profile that was changed elsewhere while Activity stands open", () => {
  test.each<[string, string]>([
    ["V", "verify"],
    ["u", "resend"],
  ])("%s does not %s", async (key) => {
    settings.add(stored());
    const write = key === "V" ? notes("lost") : statement();
    await sentBefore(service, folders, [{ write, faults: ["reset-after"] }]);
    const before = landed().length;
    const { screen } = await openConsoleAt({
      service,
      folders,
      profile: "p",
      places: [{ kind: "suppliers" }, { kind: "write", id: "1" }],
    });
    await screen.waitFor("[Record]");
    settings.update("p", { readOnly: true });
    await screen.press(key).until("The profile p is now read-only. Nothing was sent.");
    expect(landed()).toHaveLength(before);
  });
});

describe("several writes of one action, when the profile is changed elsewhere between two of them", () => {
  const changes: readonly [string, () => void, words: string, header: RegExp][] = [
    [
      "set read-only",
      () => settings.update("p", { readOnly: true }),
      "The profile p is now read-only.",
      /read-only/,
    ],
    [
      "labeled production",
      () => settings.update("p", { environment: "production" }),
      "The profile p is now labeled production.",
      / PROD/,
    ],
    ["removed", () => settings.remove("p"), "The profile p was removed.", /profile removed/],
  ];

  test.each(changes)("%s: the marked entries that follow are not verified", async (...change) => {
    const [, act, words, header] = change;
    const clock = fakeClock(Date.now());
    settings.add(stored());
    const sent = Array.from({ length: 8 }, (_, n) => ({
      write: notes(`note ${n}`),
      faults: ["reset-before@notesx4"],
    }));
    await sentBefore(service, folders, sent);
    const { screen } = await openConsoleAt({
      service,
      folders,
      profile: "p",
      places: [{ kind: "suppliers" }, { kind: "activity", supplier: null, account: null }],
      cols: 120,
      clock,
    });
    await screen.waitFor("1 of 8");
    await screen.press("+").until("8 marked");
    expect(landed()).toHaveLength(0);
    await screen.press("V").until("Verify 8 entries");
    await screen.press("down", "enter").until(/verifying|Verifying/);
    act();
    const isTold = (text: string) => text.includes(words) && text.includes("4 not verified");
    await passing(clock, screen.waitFor(isTold));
    await screen.waitFor(header);
    expect(landed()).toHaveLength(4);
  });
});

describe("a bulk run of a profile that was changed elsewhere", () => {
  /** A run of the profile with rows that wait to be sent. */
  async function waitingRun(count: number): Promise<string> {
    settings.add(stored());
    const opened = await openBulk({
      folder: folders.state,
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
    });
    const requests = Array.from({ length: count }, (_, n) =>
      noteRequest(n + 2, `row ${n}`, "EXT-0000001"),
    );
    const run = await recordedRun(opened.context, "notes", requests);
    await opened.close();
    return run;
  }

  test("is not resumed", async () => {
    const run = await waitingRun(2);
    const { screen } = await openConsoleAt({
      service,
      folders,
      profile: "p",
      places: [{ kind: "suppliers" }, { kind: "run", id: run }],
    });
    await screen.waitFor("2 rows");
    settings.update("p", { environment: "production" });
    await screen
      .press("ctrl-r")
      .until("The profile p is now labeled production. Nothing was sent.");
    expect(landed()).toHaveLength(0);
  });

  test("stops when the profile is set read-only, with rows left to be sent", async () => {
    const run = await waitingRun(300);
    service.setFaults(["latency=50ms@notes"]);
    const { screen } = await openConsoleAt({
      service,
      folders,
      profile: "p",
      places: [{ kind: "suppliers" }, { kind: "run", id: run }],
    });
    await screen.waitFor("300 rows");
    await screen.press("ctrl-r").until("Yes, resume it");
    await screen.press("down").until("▌ y  Yes, resume it");
    await screen.press("enter").until(/[1-9]\d* confirmed/);
    settings.update("p", { readOnly: true });
    await screen.waitFor(`The profile p is now read-only. Run ${run} is stopping.`);
    await screen.waitFor("○ stopped");
    expect(landed().length).toBeLessThan(300);
  });
});
