/**
 * The HTTP server around the app: it listens on loopback only, and closes without waiting for
 * clients.
 */
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { reset } from "./faults/connection.ts";
import type { SandboxEnv } from "./service.ts";

interface RunningServer {
  readonly port: number;
  /** Closes the port and drops every connection, or opens it again. */
  setListening(on: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Rejects with an Error that names a port that could not be opened. */
export async function listen(
  app: Hono<SandboxEnv>,
  port: number,
  refusesConnection: () => boolean,
): Promise<RunningServer> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    // The process around the sandbox keeps its own Request and Response.
    overrideGlobalObjects: false,
  }) as Server;
  // Longer than clients keep idle connections, so that none is closed while a request is on its
  // way.
  server.keepAliveTimeout = 120_000;
  server.on("connection", (socket) => {
    if (refusesConnection()) reset(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "EADDRINUSE" ? "it is in use" : error.message;
      reject(new Error(`The sandbox cannot listen on 127.0.0.1:${port}: ${reason}.`));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    port: taken,
    setListening: async (on) => {
      if (on === server.listening) return;
      if (on) await new Promise<void>((resolve) => server.listen(taken, "127.0.0.1", resolve));
      else await close();
    },
    close,
  };
}
