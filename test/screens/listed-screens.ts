/** Every list of the console, on one machine that has rows for each of them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { recordRequests } from "../../src/bulk/record.ts";
import { runBulk } from "../../src/bulk/run.ts";
import { createRun } from "../../src/bulk/runs.ts";
import { pastedPlace } from "../../src/session/place-words.ts";
import type { AccountTab, Place } from "../../src/session/places.ts";
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { instructionRequest, noteRequest, openBulk, streamed } from "../bulk/bulking.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { observe } from "../helpers/observed.ts";
import type { Screen } from "../helpers/screen.tsx";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { type ListedTeam, openListedTeam } from "./listed-team.ts";
import type { OpenedConsoleOptions } from "./opened-console.tsx";

/** A machine with something in every list. */
export interface ListedMachine {
  readonly service: TestSandbox;
  readonly folders: Folders;
  readonly runs: { readonly failed: string; readonly waiting: string };
  /** Opens the team with approvals, once. It has folders of its own: this machine is in no team. */
  team(): Promise<ListedTeam>;
}

/** The profile of its service. */
export const listedProfile = "mine";

export async function openListedMachine(): Promise<ListedMachine> {
  const service = await openSandbox({ accounts: 60 });
  const folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
  const runs = await recordRuns(service, folders);
  for (const name of ["wave-1", "wave-2"]) {
    await openCohorts(folders.state).add({
      name,
      supplier: "ACME",
      from: `${name}.txt`,
      column: null,
      now: 0,
      bytes: Buffer.from("EXT-0000001\nNOPE-1\n"),
    });
  }
  const settings = openSettings({ configDir: folders.config });
  settings.add(profileFrom({ name: listedProfile, baseUrl: service.baseUrl }));
  for (const supplier of ["ACME", "OLD"]) settings.addSupplier(listedProfile, supplier);
  await observe(folders, service.baseUrl, "ACME", [[["GONE-1"], ["GONE-2"]]]);
  await observe(folders, service.baseUrl, "OLD", [
    [["OLD-1"], ["OLD-2"]],
    [["OLD-1", "A-1"], ["OLD-3"]],
  ]);
  await observe(folders, "https://other.example", "ACME", [[["EXT-1"]]]);
  await writeFile(
    join(folders.home, "bad.csv"),
    "import_supplier,external_account_number,body\nACME,,one\n,EXT-0000002,two\nACME,,three\n",
  );
  await writeFile(join(folders.home, "mine.txt"), "EXT-0000001\nEXT-0000003\nNOPE-1\nNOPE-2\n");
  const ofTeam = await openFolders();
  let team: Promise<ListedTeam> | null = null;
  return {
    service,
    folders,
    runs,
    team: () => {
      team ??= openListedTeam(service.baseUrl, ofTeam);
      return team;
    },
  };
}

/** A run whose rows failed for two causes, and one that was recorded and not sent. */
async function recordRuns({ baseUrl, apiKey }: TestSandbox, { state }: Folders) {
  const { context, close } = await openBulk({ folder: state, baseUrl, apiKey });
  const never = new AbortController().signal;
  const common = { source: "console", sha256: "", results: null, reading: {} } as const;
  const failed = await createRun(context, {
    ...common,
    kind: "payment-instructions",
    rows: 6,
    requests: 6,
  });
  const requests = [
    ...[2, 3, 4].map((line) => instructionRequest(line, "NO-SUCH-VENDOR")),
    ...[5, 6].map((line) => instructionRequest(line, "GOODPAY", "NOBODY")),
    instructionRequest(7),
  ];
  await recordRequests(context, failed, streamed(requests), { signal: never });
  await runBulk(context, failed, { signal: never, stop: never });
  const waiting = await createRun(context, { ...common, kind: "notes", rows: 3, requests: 3 });
  const notes = [2, 3, 4].map((line) => noteRequest(line));
  await recordRequests(context, waiting, streamed(notes), { signal: never });
  await close();
  return { failed, waiting };
}

/** A list and the way to it. */
export interface Listed {
  /** The file below `src` that draws it. */
  readonly file: string;
  readonly place: (machine: ListedMachine) => Place;
  /** Needs the team of the machine. */
  readonly isOfTeam?: boolean;
  /** From the place to the list, where that takes keys. */
  readonly open?: (screen: Screen) => Promise<void>;
  /** The same when it was open before. Default: `open`. */
  readonly again?: (screen: Screen) => Promise<void>;
  /** The word for a row. */
  readonly noun: string;
  /** Rows at first; 0 if that is not certain. */
  readonly rows: number;
  /**
   * Records that the key of the export writes if `marks` rows are marked; 0 is none, and NaN not certain.
   * Default: one for each row.
   */
  readonly written?: (marks: number) => number;
  /** The work that reads it again; another screen is shown meanwhile. */
  readonly task?: "files" | "reconciles";
  /** The reason for having no key that loads it again. */
  readonly fixed?: string;
}

/** Returns the console's options for a list: those of the machine, or of a member of its team. */
export async function consoleOf(
  machine: ListedMachine,
  { isOfTeam = false }: Partial<Listed>,
): Promise<
  Pick<
    OpenedConsoleOptions,
    "service" | "folders" | "profile" | "env" | "loadLedger" | "loadMemory"
  >
> {
  const { service, folders } = machine;
  if (!isOfTeam) return { service, folders, profile: listedProfile, env: {} };
  return { service, ...(await machine.team()) };
}

/** Goes on to the tab with this name. A tab without rows is passed over. */
const toTab = (name: string) => async (screen: Screen) => {
  let text = await screen.waitFor(/\d of \d/);
  while (!text.includes(`[${name}`)) {
    const [open = "["] = /\[\w[^\]]*\]/.exec(text) ?? [];
    text = await screen.press("tab").untilGone(open);
  }
};

async function typeInto(screen: Screen, title: string, text: string): Promise<void> {
  await screen.press("a").until(title);
  await screen.send(text).until(text);
  screen.press("enter");
}

const compare = async (screen: Screen) => {
  await screen.waitFor("Which accounts do you expect at ACME?");
  await screen.send("~/mine.txt").until("~/mine.txt");
  await screen.press("enter").until("of 4 imported.");
};

const openClass = async (screen: Screen) => {
  await screen.waitFor("of 4 imported.");
  screen.press("G", "enter");
};

const showLog = async (screen: Screen) => {
  await screen.waitFor(/COMPLETED|checked/);
  screen.press("@");
};

const accountsOf = (tab: AccountTab, rows: number): Listed => ({
  file: "screens/accounts/accounts-screen.tsx",
  place: () => ({ kind: "accounts", supplier: "ACME", tab }),
  noun: "account",
  rows,
});

const rowsOfRun = (name: string, rows: number, run: "failed" | "waiting" = "failed"): Listed => ({
  file: "screens/runs/run-screen.tsx",
  place: ({ runs }) => ({ kind: "run", id: runs[run] }),
  open: toTab(name),
  noun: "row",
  rows,
});

const activity = (name: string, rows: number, written: number): Listed => ({
  file: "screens/activity/activity-screen.tsx",
  place: () => ({ kind: "activity", supplier: "ACME", account: null }),
  open: toTab(name),
  noun: "entry",
  rows,
  written: (marks) => (marks === 0 ? written : marks),
});

const causeRows = async (screen: Screen) => {
  await screen.waitFor(/1 of 2\b/);
  await screen.press("enter").until("3 failures");
};

const table = {
  suppliers: {
    file: "screens/suppliers/suppliers-screen.tsx",
    place: () => ({ kind: "suppliers" }),
    // They are ordered by what is loaded.
    open: async (screen) => {
      await screen.waitFor(/checked .* every/);
    },
    noun: "supplier",
    rows: 2,
  },
  accounts: accountsOf("all", 60),
  "pending accounts": accountsOf("pending", 0),
  "imported accounts": accountsOf("imported", 0),
  "gone accounts": accountsOf("gone", 2),
  runs: {
    file: "screens/runs/runs-screen.tsx",
    place: () => ({ kind: "runs" }),
    noun: "run",
    rows: 2,
  },
  "rows of a run": rowsOfRun("All", 6),
  "rejected rows of a run": rowsOfRun("Rejected", 5),
  "rows of a run that have not ended": rowsOfRun("Not ended", 3, "waiting"),
  "causes of a run": {
    file: "components/cause-list.tsx",
    place: ({ runs }) => ({ kind: "run", id: runs.failed }),
    open: toTab("Causes"),
    noun: "cause",
    rows: 2,
  },
  "rows of a cause of a run": {
    file: "screens/causes/cause-screen.tsx",
    place: ({ runs }) => ({ kind: "run", id: runs.failed }),
    open: async (screen) => {
      await toTab("Causes")(screen);
      await causeRows(screen);
    },
    noun: "row",
    rows: 3,
  },
  activity: activity("All", 2, 9),
  "rejected entries": activity("Rejected", 1, 5),
  "activity of a team": {
    file: "screens/activity/activity-screen.tsx",
    place: () => ({ kind: "activity", supplier: "ACME", account: null }),
    isOfTeam: true,
    noun: "entry",
    rows: 2,
  },
  "causes of entries": {
    file: "components/cause-list.tsx",
    place: () => ({ kind: "activity", supplier: "ACME", account: null }),
    open: toTab("Causes"),
    noun: "cause",
    rows: 2,
  },
  "rows of a cause of entries": {
    file: "screens/causes/cause-screen.tsx",
    place: () => ({ kind: "activity", supplier: "ACME", account: null }),
    open: async (screen) => {
      await toTab("Causes")(screen);
      await causeRows(screen);
    },
    noun: "row",
    rows: 3,
  },
  approvals: {
    file: "screens/approvals/approvals-screen.tsx",
    place: () => ({ kind: "approvals" }),
    isOfTeam: true,
    noun: "request",
    rows: 2,
  },
  "rows of an approval": {
    file: "screens/approvals/approval-screen.tsx",
    place: () => ({ kind: "approval", id: 2 }),
    isOfTeam: true,
    noun: "row",
    rows: 2,
  },
  cohorts: {
    file: "screens/cohorts/cohorts-screen.tsx",
    place: () => ({ kind: "cohorts" }),
    noun: "cohort",
    rows: 2,
  },
  "cohorts of a team": {
    file: "screens/cohorts/cohorts-screen.tsx",
    place: () => ({ kind: "cohorts" }),
    isOfTeam: true,
    noun: "cohort",
    rows: 2,
  },
  changes: {
    file: "screens/changes/changes-screen.tsx",
    place: () => ({ kind: "changes", supplier: "OLD" }),
    noun: "change",
    rows: 3,
  },
  find: {
    file: "screens/find/find-screen.tsx",
    place: () => ({ kind: "find", text: "OLD" }),
    noun: "row",
    rows: 4,
  },
  "pasted numbers": {
    file: "screens/find/find-many-screen.tsx",
    place: () => pastedPlace("OLD-1, OLD-2 and OLD-3"),
    noun: "row",
    rows: 3,
  },
  profiles: {
    file: "screens/profiles/profiles-screen.tsx",
    place: () => ({ kind: "profiles" }),
    noun: "profile",
    rows: 2,
  },
  "causes of a file": {
    file: "screens/bulk-file/checked-view.tsx",
    place: ({ folders }) => ({ kind: "bulk-file", path: join(folders.home, "bad.csv") }),
    noun: "cause",
    rows: 2,
    task: "files",
  },
  "issues of a file": {
    file: "screens/bulk-file/checked-view.tsx",
    place: ({ folders }) => ({ kind: "bulk-file", path: join(folders.home, "bad.csv") }),
    open: toTab("Rows"),
    noun: "row",
    rows: 3,
    task: "files",
  },
  "classes of a comparison": {
    file: "screens/reconcile/reconcile-result.tsx",
    place: () => ({ kind: "reconcile", supplier: "ACME" }),
    open: compare,
    again: async (screen) => void (await screen.act("review").until("with the list of")),
    // A class stands for its rows.
    noun: "class",
    rows: 4,
    task: "reconciles",
    written: (marks) => (marks === 0 ? 4 : Number.NaN),
  },
  "rows of a class": {
    file: "screens/reconcile/class-rows-screen.tsx",
    place: () => ({ kind: "reconcile", supplier: "ACME" }),
    open: async (screen) => {
      await compare(screen);
      await openClass(screen);
    },
    again: openClass,
    noun: "row",
    rows: 58,
    task: "reconciles",
  },
  "command log": {
    file: "screens/command-log/command-log-screen.tsx",
    place: () => ({ kind: "account", supplier: "ACME", account: "EXT-0000001" }),
    open: showLog,
    noun: "command",
    rows: 1,
    fixed: "it follows what the console does",
  },
  notices: {
    file: "screens/notices/notices-screen.tsx",
    place: () => ({ kind: "cohorts" }),
    open: async (screen) => {
      await screen.waitFor(/\d of \d/);
      await screen.press(">", "<", ":").until("Go to a place");
      await screen.send("notices").until("Messages of this session");
      await screen.press("enter").until("are listed");
    },
    // The keys of a list make notices, too.
    noun: "notice",
    rows: 0,
    fixed: "it follows the session",
    written: () => Number.NaN,
  },
  // The last: what is watched is checked on every screen.
  watch: {
    file: "screens/watch/watch-screen.tsx",
    place: () => ({ kind: "watch" }),
    open: async (screen) => {
      // The list is saved with the profile.
      const shown = await screen.waitFor(/Nothing is watched yet|of 2\b/);
      if (/of 2\b/.test(shown)) return;
      const several = "ACME/EXT-0000003, ACME/EXT-0000004";
      await typeInto(screen, "Watch accounts or supply points", several);
      await screen.waitFor(/of 2\b/);
    },
    again: async () => {},
    noun: "watched entry",
    rows: 2,
  },
} satisfies Readonly<Record<string, Listed>>;

export type ListName = keyof typeof table;

export const lists: Readonly<Record<ListName, Listed>> = table;

const accountLists: Readonly<Record<AccountTab, ListName>> = {
  all: "accounts",
  pending: "pending accounts",
  imported: "imported accounts",
  gone: "gone accounts",
};

const noList: readonly ListName[] = [];

/** The lists of each place. A place without one shows facts, a form or a document. */
export const listsAt: Readonly<Record<Place["kind"], readonly ListName[]>> = {
  "first-run": noList,
  connect: noList,
  profiles: ["profiles"],
  suppliers: ["suppliers"],
  overview: noList,
  cohorts: ["cohorts", "cohorts of a team"],
  find: ["find"],
  "find-many": ["pasted numbers"],
  cohort: noList,
  accounts: Object.values(accountLists),
  changes: ["changes"],
  reconcile: ["classes of a comparison"],
  "reconciled-rows": ["rows of a class"],
  account: noList,
  "supply-point": noList,
  activity: ["activity", "rejected entries", "activity of a team", "causes of entries"],
  write: noList,
  watch: ["watch"],
  "command-log": ["command log"],
  notices: ["notices"],
  compose: noList,
  review: noList,
  "compose-marked": noList,
  "review-marked": noList,
  runs: ["runs"],
  run: [
    "rows of a run",
    "rejected rows of a run",
    "rows of a run that have not ended",
    "causes of a run",
  ],
  approvals: ["approvals"],
  approval: ["rows of an approval"],
  "bulk-file": ["causes of a file", "issues of a file"],
  "review-file": noList,
  cause: ["rows of a cause of a run", "rows of a cause of entries"],
};
