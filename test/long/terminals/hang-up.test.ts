import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { screens } from "../../../src/screens/registry.tsx";
import type { Place } from "../../../src/session/places.ts";
import { runCommand } from "../../helpers/command.ts";
import { type Console, openConsole } from "../../helpers/console.ts";
import { type Folders, openFolders } from "../../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../../helpers/service.ts";
import { losses, openHeld } from "./hung-up.ts";

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  service = await openSandbox({ speed: 20 });
  folders = await openFolders();
});

/** A place, the way to it, and what is there again in a console opened afterwards. */
interface Story {
  readonly kind: Place["kind"];
  readonly name: string;
  /** The words that open the console. Default: an account. */
  readonly open?: readonly string[];
  /** No profile is set up yet. */
  readonly bare?: boolean;
  /** Prepares the machine before the console opens. */
  readonly before?: () => Promise<void>;
  readonly go: (terminal: Console) => Promise<void>;
  /** Typed text that was not lost: the way to it, and how it looks. */
  readonly again?: (terminal: Console) => Promise<unknown>;
  /** The entries of the journal afterwards. Default: none. */
  readonly journal?: readonly string[];
  /** The number of them that took effect. Default: all. */
  readonly effects?: number;
}

/** Typed into Connect, and for no disk. */
const secret = "a-key-nobody-may-find";

const account = ["open", "ACME", "EXT-0000001"];

/** Presses a key and waits for what it shows. */
async function press(terminal: Console, key: string, seen: string | RegExp): Promise<void> {
  await terminal.press(key).until(seen);
}

async function type(terminal: Console, text: string): Promise<void> {
  await terminal.send(text).until(text);
}

/** To the Review button of a form, and on to Review. */
async function review(terminal: Console, seen: string | RegExp): Promise<void> {
  await press(terminal, "page-down", /▌.*Review/);
  await press(terminal, "enter", seen);
}

const list = async (terminal: Console) => {
  await terminal.waitFor("of 120 imported");
  await press(terminal, "enter", "1 of 120");
};

const onAccount = (terminal: Console) => terminal.waitFor("COMPLETED");

/** A form with something typed into its first field, and the same draft in the next console. */
function form(key: string, kind: string, title: string, text: string): Story {
  const restored = async (terminal: Console) => {
    await onAccount(terminal);
    await press(terminal, key, /Draft of \d\d:\d\d restored/);
    await terminal.waitFor(text);
  };
  return {
    kind: "compose",
    name: `${kind}, half typed`,
    go: async (terminal) => {
      await onAccount(terminal);
      await press(terminal, key, title);
      await type(terminal, text);
    },
    again: restored,
  };
}

const sendNote = async (terminal: Console) => {
  await onAccount(terminal);
  await press(terminal, "n", "Note 1");
  await type(terminal, "sent once");
  await review(terminal, "s send now");
  await press(terminal, "s", "NOTE_CREATION_SUCCESS");
};

const composeMarked = async (terminal: Console) => {
  await list(terminal);
  await press(terminal, "tab", "[Pending");
  await press(terminal, "tab", "[Imported");
  await terminal.waitFor(/1 of \d+/);
  await press(terminal, "space", "1 marked");
  await press(terminal, "B", "Compose for 1 marked account");
  await press(terminal, "enter", "Notes for 1 marked account");
  await type(terminal, "for every one");
};

const markedAgain = async (terminal: Console) => {
  await list(terminal);
  await press(terminal, "space", "1 marked");
  await press(terminal, "B", "Compose for 1 marked account");
  await press(terminal, "enter", "restored");
  await terminal.waitFor("for every one");
};

const noteAgain = async (terminal: Console) => {
  await onAccount(terminal);
  await press(terminal, "n", /Draft of \d\d:\d\d restored/);
  await terminal.waitFor("to be reviewed");
};

const toReconcile = async (terminal: Console) => {
  await terminal.waitFor("of 120 imported");
  await press(terminal, "X", "Which accounts do you expect at ACME?");
};

/** A file with a note for an imported account. */
const rowsFile = async () => {
  const rows = "import_supplier,external_account_number,body\nACME,EXT-0000001,one\n";
  await writeFile(join(folders.home, "rows.csv"), rows);
};

const toFileForm = async (terminal: Console) => {
  await terminal.waitFor("of 120 imported");
  await press(terminal, "L", "No bulk run yet");
  await press(terminal, "a", "Which file of rows");
};

const toCheckedFile = async (terminal: Console) => {
  await toFileForm(terminal);
  await type(terminal, "~/rows.csv");
  await press(terminal, "enter", "1 row of notes: 1 ready.");
};

/** Stores a cohort of two accounts, as a command does. */
const addCohort = async () => {
  const file = join(folders.home, "wave.txt");
  await writeFile(file, "EXT-0000001\nEXT-0000003\n");
  const { code } = await runCommand(["cohorts", "add", "wave", "ACME", "--source", file], {
    folders,
  });
  expect(code).toBe(0);
};

const stories: readonly Story[] = [
  {
    kind: "first-run",
    name: "the first run",
    bare: true,
    open: [],
    go: async (terminal) => void (await terminal.waitFor("Connect to a service")),
  },
  {
    kind: "connect",
    name: "Connect, with a URL and a key typed",
    bare: true,
    open: [],
    go: async (terminal) => {
      await terminal.waitFor("Connect to a service");
      await press(terminal, "down", "Connect");
      await press(terminal, "enter", "Test the connection");
      await type(terminal, "mine");
      terminal.press("tab");
      await type(terminal, "https://api.example.com/half");
      terminal.press("tab", "tab", "tab");
      await terminal.paste(secret).until("•••");
    },
    again: async (terminal) => {
      await terminal.waitFor("Connect to a service");
      await press(terminal, "down", "Connect");
      await press(terminal, "enter", "https://api.example.com/half");
      await terminal.waitFor("The API key was not saved");
      expect(terminal.text()).toMatch(/Profile +mine/);
      expect(terminal.text()).not.toContain("•");
    },
  },
  {
    kind: "profiles",
    name: "the profiles",
    go: (t) => onAccount(t).then(() => press(t, "P", "Base URL")),
  },
  {
    kind: "suppliers",
    name: "the suppliers",
    open: [],
    go: async (t) => void (await t.waitFor("Suppliers")),
  },
  {
    kind: "overview",
    name: "a supplier's overview",
    open: ["open", "ACME"],
    go: async (terminal) => void (await terminal.waitFor("of 120 imported")),
  },
  {
    kind: "accounts",
    name: "a list, while a filter is typed",
    open: ["open", "ACME"],
    go: async (terminal) => {
      await list(terminal);
      await press(terminal, "/", "keep filter");
      await terminal.send("EXT-000000").until(/row 1 {2}\d+ of \d+ match/);
    },
  },
  {
    kind: "cohorts",
    name: "the cohorts",
    before: addCohort,
    go: async (t) => {
      await onAccount(t);
      await press(t, ":", "Go to a place");
      await t.send("cohorts").until("Your stored lists of accounts");
      await press(t, "enter", /wave +ACME +2/);
    },
  },
  {
    kind: "cohort",
    name: "a cohort",
    open: ["open", "ACME", "--cohort", "wave"],
    before: addCohort,
    go: async (terminal) => void (await terminal.waitFor("of 2 imported")),
  },
  {
    kind: "reconcile",
    name: "the question for a list of accounts, half typed",
    open: ["open", "ACME"],
    go: async (terminal) => {
      await toReconcile(terminal);
      await type(terminal, "lists/half");
    },
  },
  {
    kind: "reconciled-rows",
    name: "the rows of a comparison",
    open: ["open", "ACME"],
    go: async (terminal) => {
      await toReconcile(terminal);
      await terminal.paste("EXT-0000001\nEXT-0000003\n").until("EXT-0000003");
      await press(terminal, "enter", "of 2 imported.");
      await press(terminal, "enter", "Reconcile › pending");
    },
  },
  { kind: "account", name: "an account", go: async (t) => void (await onAccount(t)) },
  {
    kind: "supply-point",
    name: "a supply point",
    open: ["open", "ACME", "--supply-point", "SP-MOVING"],
    go: async (terminal) => void (await terminal.waitFor("Observed")),
  },
  {
    kind: "activity",
    name: "the activity",
    go: async (terminal) => {
      await sendNote(terminal);
      await press(terminal, "enter", "Observed");
      await press(terminal, "A", /^Activity/);
      await terminal.waitFor("1 of 1  none unknown");
    },
    journal: ["confirmed"],
  },
  {
    kind: "write",
    name: "one write",
    go: async (terminal) => {
      await sendNote(terminal);
      await press(terminal, "enter", "Observed");
      await press(terminal, "A", /^Activity/);
      await terminal.waitFor("1 of 1  none unknown");
      await press(terminal, "enter", /Activity › Entry \d+/);
    },
    journal: ["confirmed"],
  },
  {
    kind: "watch",
    name: "the watch list",
    go: async (t) => {
      await onAccount(t);
      await press(t, "w", "Watching");
      await press(t, "W", /^1 of 1$/m);
    },
    again: async (t) => {
      await onAccount(t);
      await press(t, "W", /^1 of 1$/m);
    },
  },
  form("n", "a note", "Notes for", "half a note"),
  form("t", "transactions", "Transactions for", "T-half"),
  form("b", "statements", "Historical statements for", "STMT-half"),
  form("p", "a payment instruction", "Payment instruction for", "VENDOR-half"),
  form("S", "a supply point", "Supply point for", "SP-half"),
  {
    kind: "review",
    name: "Review",
    go: async (terminal) => {
      await onAccount(terminal);
      await press(terminal, "n", "Note 1");
      await type(terminal, "to be reviewed");
      await review(terminal, "s send now");
    },
    again: noteAgain,
  },
  {
    kind: "review",
    name: "a result",
    go: sendNote,
    journal: ["confirmed"],
  },
  {
    kind: "compose-marked",
    name: "a note for marked accounts, half typed",
    open: ["open", "ACME"],
    go: composeMarked,
    again: markedAgain,
  },
  {
    kind: "review-marked",
    name: "Review for marked accounts",
    open: ["open", "ACME"],
    go: async (terminal) => {
      await composeMarked(terminal);
      await review(terminal, "Goes out");
    },
    again: markedAgain,
  },
  {
    kind: "runs",
    name: "the runs",
    go: async (terminal) => {
      await onAccount(terminal);
      await press(terminal, "L", "No bulk run yet");
    },
  },
  {
    kind: "run",
    name: "a run that has ended",
    open: ["open", "ACME"],
    go: async (terminal) => {
      await composeMarked(terminal);
      await review(terminal, "s sends them");
      await press(terminal, "s", "Yes, send");
      await press(terminal, "down", "▌ y  Yes, send");
      await press(terminal, "enter", "✓ 1 of 1 confirmed");
    },
    journal: ["confirmed"],
  },
  {
    kind: "bulk-file",
    name: "a file of rows, half typed",
    open: ["open", "ACME"],
    before: rowsFile,
    go: async (terminal) => {
      await toFileForm(terminal);
      await type(terminal, "~/row");
    },
  },
  {
    kind: "bulk-file",
    name: "a checked file of rows",
    open: ["open", "ACME"],
    before: rowsFile,
    go: toCheckedFile,
  },
  {
    kind: "review-file",
    name: "the review of a file of rows",
    open: ["open", "ACME"],
    before: rowsFile,
    go: async (terminal) => {
      await toCheckedFile(terminal);
      await press(terminal, "ctrl-g", "s sends them");
    },
    again: toFileForm,
  },
  {
    kind: "changes",
    name: "the changes of a supplier",
    open: ["open", "ACME"],
    go: async (terminal) => {
      await terminal.waitFor("of 120 imported");
      await press(terminal, "~", "ACME › Changes");
    },
  },
  {
    kind: "notices",
    name: "the notices",
    go: async (terminal) => {
      await onAccount(terminal);
      await press(terminal, ":", "Go to a place");
      await type(terminal, "notices");
      await press(terminal, "enter", /^Notices/m);
    },
  },
  {
    kind: "command-log",
    name: "the command log",
    go: async (terminal) => {
      await onAccount(terminal);
      await press(terminal, "@", /Command log[\s\S]*1 of \d+/);
    },
  },
  {
    kind: "find",
    name: "a search over all suppliers",
    open: ["open", "ACME"],
    go: async (terminal) => {
      await terminal.waitFor("of 120 imported");
      await press(terminal, ":", "Go to a place");
      await type(terminal, "-00001");
      await press(terminal, "enter", "numbers contain -00001");
    },
  },
  {
    kind: "find-many",
    name: "a search for the numbers of a pasted text",
    open: ["open", "ACME"],
    go: async (terminal) => {
      await terminal.waitFor("of 120 imported");
      await terminal.paste("EXT-0000001 and EXT-0000002 are stuck").until("Pasted text");
    },
  },
  {
    kind: "cause",
    name: "the failures of one cause",
    before: async () => {
      const env = service.env;
      await runCommand(["notes", "create", "ACME", "NOBODY", "--body", "x"], { folders, env });
    },
    open: ["open", "ACME"],
    go: async (terminal) => {
      await terminal.waitFor(/^Suppliers › ACME/);
      await press(terminal, "A", "1 of 1");
      await terminal.press("tab", "tab", "tab", "tab").until(/\[Causes\][\s\S]*1 of 1/);
      await press(terminal, "enter", "1 failure  notes  404  not_found");
    },
    journal: ["rejected"],
    effects: 0,
  },
  ...dialogs(),
];

/** The boxes in front of a screen, with typed text in those that take it. */
function dialogs(): readonly Story[] {
  const inFront = (name: string, go: Story["go"]): Story => ({
    kind: "account",
    name,
    go: async (terminal) => {
      await onAccount(terminal);
      await go(terminal);
    },
  });
  return [
    inFront("the help", (t) => press(t, "?", "Keys on")),
    inFront("the palette, with text in it", async (t) => {
      await press(t, ":", "Go to a place");
      await type(t, "ACME/EXT-00");
    }),
    inFront("a raw answer", (t) => press(t, "v", "Raw:")),
    inFront("a command", (t) => press(t, "x", "curl")),
    inFront("a question for a number", async (t) => {
      await press(t, "o", "Open an account of ACME");
      await type(t, "EXT-77");
    }),
    {
      kind: "bulk-file",
      name: "a choice",
      open: ["open", "ACME"],
      before: rowsFile,
      go: async (terminal) => {
        await toCheckedFile(terminal);
        await press(terminal, ",", "Change how it is read");
      },
    },
    {
      kind: "compose",
      name: "a question whether to throw a draft away",
      go: async (terminal) => {
        await onAccount(terminal);
        await press(terminal, "n", "Note 1");
        await type(terminal, "to be reviewed");
        await press(terminal, "f9", "Discard this draft?");
      },
      again: noteAgain,
    },
  ];
}

/** Screens without a story: what they show is in the team's database, and a decision is one call of it. */
const ofTeam = ["approvals", "approval"];

test("every screen has a hang-up case", () => {
  const told = [...stories.map(({ kind }) => kind), ...ofTeam];
  expect(new Set(told)).toEqual(new Set(Object.keys(screens)));
});

/** The outcomes in the journal, newest first, as a script sees them. */
async function outcomes(): Promise<readonly string[]> {
  const { code, stdout } = await runCommand(["activity", "list", "--json"], {
    folders,
    env: service.env,
  });
  expect(code).toBe(0);
  return JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome);
}

/** Everything that is in the user's folders, in one text. */
async function onDisk(): Promise<string> {
  const entries = await readdir(folders.home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1")),
  );
  return texts.join("\n");
}

// Each screen loses its terminal in another way than the one before; what ends a program does not
// know which screen is up, and every way is tried with work under way besides.
test.each(
  stories.map((story, at) => ({ ...story, loss: losses[at % losses.length] ?? losses[0] })),
)(
  "in front of $name the program ends when $loss.name, and nothing is lost",
  async ({
    open = account,
    bare = false,
    before,
    go,
    again,
    journal = [],
    effects = journal.length,
    loss,
  }) => {
    const env: Record<string, string> = bare ? {} : service.env;
    await before?.();
    {
      await using held = await openHeld(open, { folders, env, ...(loss ? { loss } : {}) });
      await go(held.terminal);
      await held.hangUp();
    }
    expect(await outcomes()).toEqual(journal);
    expect(await onDisk()).not.toContain(secret);
    expect(service.ledger().filter(({ cause }) => cause === "request")).toHaveLength(effects);
    if (!again) return;
    await using terminal = await openConsole(open, { folders, env, cols: 100, rows: 30 });
    await again(terminal);
  },
);
