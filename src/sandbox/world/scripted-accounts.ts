/** The named accounts of ACME, at fixed positions, so that the tour and tests can be repeated. */
import type { AccountStatus } from "./world.ts";

/** The state of an account from `at` seconds (at natural pace) on. */
interface Step {
  readonly at: number;
  readonly status: AccountStatus;
}

export interface ScriptedAccount {
  readonly account: string;
  /** The start of the timeline: the sandbox's start, or the first 4.8 request for the account. */
  readonly from: "start" | "first look";
  /**
   * The steps in ascending order, the first at 0. Empty for an account that was imported in the
   * past.
   */
  readonly steps: readonly Step[];
}

const unknown = (at: number): Step => ({ at, status: "UNKNOWN" });
const busy = (at: number): Step => ({ at, status: "IN_PROGRESS" });
const done = (at: number): Step => ({ at, status: "COMPLETED" });
const imported = (account: string): ScriptedAccount => ({ account, from: "start", steps: [] });

/** The scripted accounts in list order. docs/sandbox.md describes the purpose of each. */
export const scriptedAccounts: readonly ScriptedAccount[] = [
  imported("EXT-0000001"),
  { account: "EXT-0000002", from: "start", steps: [unknown(0), busy(5), done(15)] },
  { account: "EXT-0000003", from: "start", steps: [unknown(0), busy(5), unknown(15)] },
  { account: "EXT-0000004", from: "start", steps: [unknown(0)] },
  { account: "EXT-0000005", from: "start", steps: [busy(0), done(20)] },
  { account: "EXT-0000006", from: "start", steps: [busy(0)] },
  { account: "EXT-0000007", from: "first look", steps: [unknown(0), busy(5), done(15)] },
  { account: "EXT-0000008", from: "first look", steps: [unknown(0), busy(5), unknown(15)] },
  {
    account: "EXT-0000009",
    from: "start",
    steps: [unknown(0), busy(10), unknown(20), busy(40), done(50)],
  },
  imported("EXT 0000010"),
  imported("EXT/0000011"),
  imported("EXT%0000012"),
  imported("EXT-Ωé-0000013"),
  imported("EXT-日本-0000014"),
  imported("EXT#?&+=0000015"),
  imported("EXT%2F0000016"),
];
