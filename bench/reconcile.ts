import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { type Lists, openLists } from "./measure/lists.ts";
import { measured } from "./measure/measured-command.ts";
import { timed, withInstalled } from "./measure/peers.ts";
import { inTurn } from "./measure/rounds.ts";

/** The same comparison with the tools of the system: both lists sorted, then joined on the number. */
const sortAndJoin = `sort "$1" >"$1.sorted" && sort "$2" >"$2.sorted" &&
  join -a 1 -a 2 -t ';' "$1.sorted" "$2.sorted" >/dev/null`;

/**
 * A list of accounts compared with the service's list of as many, every row printed, beside
 * `accounts list` of the same service. The numbers stand in another order than on the service, and
 * one in a hundred is mistyped.
 */
export const reconcile: Benchmark = async ({ rounds, accounts }) => {
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  const source = join(folders.home, "source.csv");
  const numbers = await numbersOf(lists);
  const listed = join(folders.home, "listed.txt");
  await writeFile(listed, numbers.join("\n"));
  await writeFile(source, sourceOf(numbers));
  const compare = ["reconcile", "ACME", "--source", source, "--no-lookup", "--quiet"];
  const reading = await inTurn(rounds, {
    ours: () => measured(lists, folders, [...compare, "--format", "jsonl"], 10),
    join: withInstalled(["sort", "join"], () =>
      timed("sh", ["-c", sortAndJoin, "sh", source, listed], { env: { LC_ALL: "C" } }),
    ),
    list: () => measured(lists, folders, ["accounts", "list", "ACME", "--format", "jsonl"], 0),
  });
  return {
    "every row printed": {
      ours: reading("ours", "ms"),
      peers: {
        "sort and join": reading("join", "ms"),
        "accounts list --format jsonl": reading("list", "ms"),
      },
    },
    "processor time": {
      ours: reading("ours", "cpu"),
      peers: { "accounts list --format jsonl": reading("list", "cpu") },
    },
    "peak memory": {
      ours: reading("ours", "mb"),
      peers: { "accounts list --format jsonl": reading("list", "mb") },
    },
  };
};

async function numbersOf({ url }: Lists): Promise<string[]> {
  const rows = (await (await fetch(url)).json()) as { external_account_number: string }[];
  return rows.map((row) => row.external_account_number);
}

/** The numbers as CSV, shuffled the same way every time. */
function sourceOf(numbers: string[]): string {
  let seed = 1;
  for (let at = numbers.length - 1; at > 0; at--) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    const other = seed % (at + 1);
    [numbers[at], numbers[other]] = [numbers[other] as string, numbers[at] as string];
  }
  const cells = numbers.map((number, at) => (at % 100 === 0 ? `${number}X` : number));
  const quoted = cells.map((cell) => (/[",\n\r]/.test(cell) ? JSON.stringify(cell) : cell));
  return `external_account_number\n${quoted.join("\n")}\n`;
}
