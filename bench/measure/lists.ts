import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Order, Told } from "./lists-service.ts";
import { installed, type ProgramResult, run } from "./peers.ts";
import type { Sample, Skipped } from "./rounds.ts";

/** A service in another process that answers one supplier's list from memory. */
export interface Lists extends AsyncDisposable {
  readonly accounts: number;
  /** The address of the whole list (INTERFACE 4.9). */
  readonly url: string;
  /** The variables that let the program in: the address and a token. */
  readonly env: Record<string, string>;
  hold(): Promise<void>;
  /** Lets the held request, now or when it comes, be answered; gives the time of its first byte. */
  release(): Promise<number>;
  serve(changed: number): Promise<void>;
  /** Writes the rows as lines with tabs, for programs that read those. */
  writeRows(path: string): Promise<void>;
  /** The length of the body answered last, as it was sent. */
  answeredBytes(): Promise<number>;
}

/** Starts the service with the sandbox's rows; with `gzip` for those who accept it. */
export async function openLists(accounts: number, encoding?: "gzip"): Promise<Lists> {
  const entry = fileURLToPath(new URL("./lists-service.ts", import.meta.url));
  const words = [String(accounts), ...(encoding === undefined ? [] : [encoding])];
  const child = fork(entry, words, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const waits = new Map<Told["kind"], PromiseWithResolvers<Told>>();
  child.on("message", (told: Told) => {
    waits.get(told.kind)?.resolve(told);
    waits.delete(told.kind);
  });
  child.once("exit", () => {
    for (const wait of waits.values()) wait.reject(new Error("the lists' service has ended"));
  });
  const next = (kind: Told["kind"]): Promise<Told> => {
    const wait = Promise.withResolvers<Told>();
    waits.set(kind, wait);
    return wait.promise;
  };
  const order = async (what: Order) => {
    const done = next("done");
    child.send(what);
    return await done;
  };
  const ready = await next("ready");
  if (ready.kind !== "ready") throw new Error("the service of the lists did not start");
  const baseUrl = `http://127.0.0.1:${ready.port}`;
  return {
    accounts,
    url: `${baseUrl}/v1/data-import/all-account-import-processes/ACME/`,
    env: { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_TOKEN: "bench" },
    hold: async () => void (await order({ kind: "hold" })),
    release: async () => {
      const answering = next("answering");
      await order({ kind: "release" });
      const told = await answering;
      return told.kind === "answering" ? told.at : Number.NaN;
    },
    serve: async (changed) => void (await order({ kind: "serve", changed })),
    writeRows: async (path) => void (await order({ kind: "write-rows", path })),
    answeredBytes: async () => {
      const told = await order({ kind: "count-bytes" });
      return told.kind === "done" ? told.bytes : Number.NaN;
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/** The same list fetched by curl and thrown away; a token where the service wants one. */
export function curlOf(url: string, token = ""): (() => Promise<Sample>) | Skipped {
  const curl = installed("curl");
  if (typeof curl !== "string") return curl;
  const header = `authorization: Token ${token}`;
  return async () => {
    const asked = ["-sfo", "/dev/null", "-H", header, "-w", "%{time_total}", url];
    const { stdout } = await run(curl, asked);
    return { ms: Number(stdout) * 1000 };
  };
}

/** The same list read by undici to its end and thrown away: what is left for the reading of rows. */
export function thrownAwayOf(lists: Lists): () => Promise<Sample> {
  const script = `
    import { request } from ${JSON.stringify(import.meta.resolve("undici"))};
    const from = performance.now();
    const { body } = await request(${JSON.stringify(lists.url)});
    let bytes = 0;
    body.on("data", (chunk) => { bytes += chunk.length; });
    await new Promise((resolve) => body.on("end", resolve));
    console.log(JSON.stringify({ ms: performance.now() - from, bytes }));`;
  return async () => {
    const { stdout }: ProgramResult = await run(process.execPath, [
      "--input-type=module",
      "-e",
      script,
    ]);
    return JSON.parse(stdout) as Sample;
  };
}

/** The same list fetched to its end and parsed in one piece, in a process of its own. */
export function parseWholeOf(lists: Lists): () => Promise<Sample> {
  const script = `
    const from = performance.now();
    const rows = JSON.parse(await (await fetch(${JSON.stringify(lists.url)})).text());
    const ms = performance.now() - from;
    if (rows.length !== ${lists.accounts}) throw new Error(rows.length + " rows came");
    console.log(JSON.stringify({ ms, mb: (process.resourceUsage().maxRSS * 1024) / 1e6 }));`;
  return async () => {
    const { stdout }: ProgramResult = await run(process.execPath, [
      "--input-type=module",
      "-e",
      script,
    ]);
    return JSON.parse(stdout) as Sample;
  };
}
