import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { loaded, openWaitingList } from "./measure/console.ts";
import { openLink } from "./measure/link.ts";
import { type Lists, openLists } from "./measure/lists.ts";
import { measured } from "./measure/measured-command.ts";
import { inTurn } from "./measure/rounds.ts";

/** 20 Mbit/s, as a VPN has. */
const linkBytes = 20e6 / 8;

const modes = { gzip: "on", identity: "off" } as const;

/**
 * Lists that come compressed, beside the same ones as they are: what a list of all accounts weighs
 * and how long it takes to load in the console, and how long a tenth of it takes over a slow link.
 */
export const wire: Benchmark = async ({ rounds, accounts }) => {
  await using folders = await openFolders();
  await using lists = await openLists(accounts, "gzip");
  const load = (mode: keyof typeof modes) => async () => {
    const asked = { ...lists, env: { ...lists.env, SUPPLYLINE_COMPRESSION: modes[mode] } };
    await using console = await openWaitingList(asked, folders);
    const from = await lists.release();
    const ms = (await console.until(loaded)) - from;
    return { ms, mb: (await lists.answeredBytes()) / 1e6 };
  };
  const loopback = await inTurn(rounds, { gzip: load("gzip"), identity: load("identity") });

  await using tenth = await openLists(Math.ceil(accounts / 10), "gzip");
  await using link = await openLink(tenth.env.SUPPLYLINE_BASE_URL ?? "", linkBytes);
  const far: Lists = { ...tenth, env: { ...tenth.env, SUPPLYLINE_BASE_URL: link.baseUrl } };
  const fetch = (mode: keyof typeof modes) => () =>
    measured(far, folders, ["accounts", "list", "ACME", "--format", "jsonl"], 0, {
      SUPPLYLINE_COMPRESSION: modes[mode],
    });
  const slowly = await inTurn(1, { gzip: fetch("gzip"), identity: fetch("identity") });
  return {
    "bytes of the list": {
      ours: loopback("gzip", "mb"),
      peers: { identity: loopback("identity", "mb") },
    },
    "a tenth of it over 20 Mbit/s": {
      ours: slowly("gzip", "ms"),
      peers: { identity: slowly("identity", "ms") },
    },
    "last row, over loopback": {
      ours: loopback("gzip", "ms"),
      peers: { identity: loopback("identity", "ms") },
    },
  };
};
