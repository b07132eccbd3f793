/**
 * Starts the sandbox: an HTTP server on loopback that behaves as docs/interface.md describes. Its rules
 * are written from that document alone, so that they do not repeat a mistake of the client.
 */
import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { sandboxApp } from "./app.ts";
import { reset } from "./faults/connection.ts";
import { faults } from "./faults/faults.ts";
import { type PastList, pastLists } from "./lists.ts";
import { logArrivals } from "./observer.ts";
import { type ResolvedOptions, resolveOptions, type SandboxOptions } from "./options.ts";
import type { SandboxEnv, Service } from "./service.ts";
import { type LedgerEntry, memoryStore, type Store } from "./store/store.ts";
import { suppliers } from "./suppliers.ts";
import { tokens } from "./token.ts";
import type { Clock } from "./world/world.ts";

export { faultKinds } from "./faults/specs.ts";
export type { ObservedRequest, Observer } from "./observer.ts";
export { type SandboxOptions, scenarios } from "./options.ts";
export type { LedgerEntry } from "./store/store.ts";

export interface Sandbox {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly baseUrl: string;
  /** The random key that ObtainToken accepts, stored with the state if there is a folder. */
  readonly apiKey: string;
  /** Every effect so far, oldest first. */
  readonly ledger: () => readonly LedgerEntry[];
  /** Returns lists before the start, for the observations of the program that runs the sandbox. */
  pastLists(): Promise<readonly PastList[]>;
  /** Replaces the armed faults. Throws an Error that names an invalid spec. */
  setFaults(specs: readonly string[]): void;
  /** Closes the port and drops connections, so that new ones are refused, or opens it again. */
  setListening(on: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a sandbox. Rejects with an Error that names the problem: an option out of range, an
 * invalid fault spec (and the valid ones), a port in use, a data folder that belongs to another
 * world.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const resolved = resolveOptions(options);
  const armed = faults(resolved.faults, resolved.seed, resolved.now);
  const store = await openStore(resolved.dataDir);
  try {
    const service = serviceOf(resolved, store, armed);
    const apiKey = store.setting(
      "api_key",
      () => `sandbox-${randomBytes(18).toString("base64url")}`,
    );
    const closing = new AbortController();
    let port = resolved.port;
    const arrivals = logArrivals(resolved.observer, resolved.now);
    const app = sandboxApp({
      service,
      faults: armed,
      apiKey,
      port: () => port,
      closing: closing.signal,
      arrivals,
    });
    const server = await listen(app, resolved.port, () => {
      const isReset = armed.resetsConnection();
      if (isReset) arrivals.connectionReset();
      return isReset;
    });
    port = server.port;
    let closed: Promise<void> | undefined;
    return {
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey,
      ledger: store.ledger,
      pastLists: () => pastLists(service),
      setFaults: armed.set,
      setListening: server.setListening,
      close: () => {
        closing.abort();
        closed ??= server.close().then(store.close);
        return closed;
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

async function openStore(dataDir: string | undefined): Promise<Store> {
  if (dataDir === undefined) return memoryStore();
  const { sqliteStore } = await import("./store/sqlite.ts");
  try {
    return sqliteStore(dataDir);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The sandbox's data folder ${dataDir} cannot be used: ${reason}.`, { cause });
  }
}

/** Creates the state of the service. Throws an Error if the store has another world. */
function serviceOf(options: ResolvedOptions, store: Store, armed: Service["faults"]): Service {
  const { accounts, seed, speed, now, brand, scenario } = options;
  const scenarioPart = scenario === undefined ? "" : `, scenario ${scenario}`;
  const world = `seed ${seed}, ${accounts} accounts${scenarioPart}`;
  const storedWorld = store.setting("world", () => world);
  if (storedWorld !== world) {
    throw new Error(
      `The sandbox's data folder ${options.dataDir ?? ""} has a world of ${storedWorld}, not of ${world}.`,
    );
  }
  const epoch = Number(store.setting("epoch", () => String(now())));
  const clock: Clock = { epoch, now, speed };
  /** Returns the stored instant of the first request of a kind, epoch ms. */
  const firstRequest = (kind: string, supplier: string, identifier: string): number | undefined => {
    const [instant] = store.find(kind, { supplier, identifier }, "");
    return instant === undefined ? undefined : Number(instant);
  };
  const allSuppliers = suppliers({
    accounts,
    seed,
    clock,
    added: options.suppliers,
    firstStatus: (supplier, identifier) => firstRequest("first-look", supplier, identifier),
    firstList: (supplier) => firstRequest("first-list", supplier, ""),
    isWholeDay: scenario !== undefined,
  });
  return { store, suppliers: allSuppliers, clock, brand, faults: armed, tokens: tokens(now) };
}

/** A server on loopback only, which closes without waiting for clients. */
interface RunningServer {
  readonly port: number;
  setListening(on: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Rejects with an Error that names a port that could not be opened. */
async function listen(
  app: Hono<SandboxEnv>,
  port: number,
  resetsConnection: () => boolean,
): Promise<RunningServer> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    // Otherwise Hono replaces the global Request and Response of the process.
    overrideGlobalObjects: false,
  }) as Server;
  // Clients close idle connections earlier, so none is closed while a request is on its way.
  server.keepAliveTimeout = 120_000;
  server.on("connection", (socket) => {
    if (resetsConnection()) reset(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "EADDRINUSE" ? "it is in use" : error.message;
      reject(new Error(`The sandbox cannot listen on 127.0.0.1:${port}: ${reason}.`));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const openPort = typeof address === "object" && address !== null ? address.port : port;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    port: openPort,
    setListening: async (on) => {
      if (on === server.listening) return;
      if (on) await new Promise<void>((resolve) => server.listen(openPort, "127.0.0.1", resolve));
      else await close();
    },
    close,
  };
}
