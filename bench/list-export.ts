import { join } from "node:path";
import { openFolders } from "../test/helpers/folders.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { type Lists, openLists } from "./measure/lists.ts";
import { measured } from "./measure/measured-command.ts";
import { timed, withInstalled } from "./measure/peers.ts";
import { inTurn } from "./measure/rounds.ts";

const toCsv =
  ".[] | [.external_account_number, .service_account_number, .account_created_at] | @csv";

/**
 * `accounts list > file` of a whole list (INTERFACE 4.9), start of the process included, beside curl
 * and jq, which write the same rows.
 */
export const listExport: Benchmark = async ({ rounds, accounts, slowPeers }) => {
  await using folders = await openFolders();
  await using lists = await openLists(accounts);
  const file = join(folders.home, "rows");
  const list = (format: string) => () =>
    measured(lists, folders, ["accounts", "list", "ACME", "--format", format], 0, {}, file);
  const reading = await inTurn(rounds, {
    jsonl: list("jsonl"),
    csv: list("csv"),
    json: list("json"),
    curl: withInstalled(["curl"], () => written(lists, file, "cat")),
  });
  // The peers take seconds each and vary little.
  const slowly = await inTurn(slowPeers ? Math.min(2, rounds) : 1, {
    jsonl: withInstalled(["curl", "jq"], () => written(lists, file, "jq -c '.[]'")),
    csv: withInstalled(["curl", "jq"], () => written(lists, file, `jq -r '${toCsv}'`)),
  });
  return {
    "jsonl to a file": {
      ours: reading("jsonl", "ms"),
      peers: { "curl | jq -c '.[]'": slowly("jsonl", "ms"), curl: reading("curl", "ms") },
    },
    "csv to a file": {
      ours: reading("csv", "ms"),
      peers: { "curl | jq -r @csv": slowly("csv", "ms") },
    },
    "json to a file": { ours: reading("json", "ms") },
    "peak memory": { ours: reading("jsonl", "mb") },
  };
};

/** The list fetched by curl and written to a file through another program. */
function written({ url }: Lists, file: string, through: string): Promise<{ ms: number }> {
  return timed("sh", ["-c", `curl -sf "$1" | ${through} >"$2"`, "sh", url, file]);
}
