import type { Folders } from "../../test/helpers/folders.ts";
import { runCli } from "../../test/helpers/process.ts";
import type { PictureClock } from "./clock.ts";
import type { Member, PictureTeam } from "./team.ts";

/** A command that sent something, and what it came to. */
export interface SentBefore {
  readonly words: readonly string[];
  readonly input?: string;
  readonly code: number;
  /** The member who sent it, if the reel has a team. Default: op1. */
  readonly by?: Member;
}

const at = (account: string) => ["ACME", account];
const vendor = (name: string) => ["--vendor", name, "--reference", "R-4711", "--type", "CARD"];

const charge = {
  transaction_id: "T-1",
  transaction_date: "2026-11-18",
  amount: 12.5,
  type: "CHARGE",
  reason: "IMPORTED_CHARGE",
};
const statement = {
  bill_period_from_date: "2026-09-01",
  bill_period_to_date: "2026-09-30",
  statement_id: "S-1",
  issued_date: "2026-10-02",
  number: "1",
  gross_amount: 84.2,
};

/** An afternoon's writes, of every outcome. */
export const sentBefore: readonly SentBefore[] = [
  {
    words: ["notes", "create", ...at("EXT-0000001"), "--body", "Called the customer"],
    code: 0,
  },
  {
    words: ["transactions", "create", ...at("EXT-0000001"), "--from", "-"],
    input: JSON.stringify([charge]),
    code: 0,
  },
  {
    words: ["notes", "create", ...at("EXT-0000004"), "--body", "Moves in on Friday"],
    code: 5,
  },
  {
    words: ["payment-instructions", "create", ...at("EXT-0000017"), ...vendor("REFUSEPAY")],
    code: 4,
  },
  {
    words: ["statements", "create", ...at("EXT-0000017"), "--from", "-", "--settle", "0s"],
    input: JSON.stringify([statement]),
    code: 7,
  },
  {
    words: ["payment-instructions", "create", ...at("EXT-0000037"), ...vendor("GOODPAY")],
    code: 0,
  },
  {
    words: ["notes", "create", ...at("EXT-0000037"), "--body", "Card taken over", "--pin"],
    code: 0,
  },
];

/** A morning of two members of a team, with an outcome that the colleague left unknown. */
export const sentByTeam: readonly SentBefore[] = [
  {
    words: ["payment-instructions", "create", ...at("EXT-0000017"), ...vendor("GOODPAY")],
    code: 0,
    by: "op2",
  },
  {
    words: ["notes", "create", ...at("EXT-0000001"), "--body", "Called the customer"],
    code: 0,
    by: "op1",
  },
  {
    words: ["statements", "create", ...at("EXT-0000017"), "--from", "-", "--settle", "0s"],
    input: JSON.stringify([statement]),
    code: 7,
    by: "op2",
  },
  {
    words: ["payment-instructions", "create", ...at("EXT-0000037"), ...vendor("GOODPAY")],
    code: 0,
    by: "op1",
  },
  {
    words: ["notes", "create", ...at("EXT-0000037"), "--body", "Card taken over", "--pin"],
    code: 0,
    by: "op2",
  },
];

const payments = [
  "import_supplier,external_account_number,vendor,reference,type",
  ...["0000001", "0000017", "0000037"].map((n) => `ACME,EXT-${n},GOODPAY,R-${n},CARD`),
].join("\n");

/** Requests of two members whose team asks for two people, and a refusal. */
export const askedByTeam: readonly SentBefore[] = [
  {
    words: ["payment-instructions", "create", ...at("EXT-0000041"), ...vendor("GOODPAY")],
    code: 0,
    by: "op2",
  },
  { words: ["approvals", "refuse", "a1", "--reason", "The customer pays by invoice"], code: 0 },
  {
    words: ["payment-instructions", "create", ...at("EXT-0000037"), ...vendor("GOODPAY")],
    code: 0,
    by: "op1",
  },
  {
    words: ["transactions", "create", ...at("EXT-0000001"), "--from", "-"],
    input: JSON.stringify([{ ...charge, amount: -1204.1, type: "CREDIT" }]),
    code: 0,
    by: "op2",
  },
  {
    words: ["bulk", "run", "payment-instructions", "--from", "-", "--yes", "--expect-rows", "3"],
    input: payments,
    code: 0,
    by: "op2",
  },
];

/** Sends it, some minutes apart. Throws when it comes to something else. */
export async function send(
  sent: readonly SentBefore[],
  {
    foldersOf,
    clock,
    env,
    team,
  }: {
    readonly foldersOf: (member: Member) => Folders;
    readonly clock: PictureClock;
    readonly env: Readonly<Record<string, string>>;
    readonly team: PictureTeam | null;
  },
): Promise<void> {
  for (const { words, input, code, by = "op1" } of sent) {
    clock.pass(190);
    const result = await runCli(words, {
      folders: foldersOf(by),
      ...(input === undefined ? {} : { input }),
      env: { ...clock.env, ...env, ...team?.envOf(by) },
    });
    if (result.code !== code)
      throw new Error(`${words.join(" ")} ended with ${result.code}: ${result.stderr}`);
    await team?.setTimeOfLatest(clock.now());
  }
}
