/** Logs the connections of this process, as undici reports them. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { log } from "../log/log.ts";
import type { Clock } from "./clock.ts";

/** A message of undici about a connection. Its `connector` is the same until the result. */
interface ConnectionMessage {
  readonly connectParams: { readonly host: string };
  readonly connector: object;
  readonly socket?: { once(event: "close", listener: () => void): unknown };
  readonly error?: unknown;
}

export function logConnections(clock: Pick<Clock, "elapsed">): () => void {
  const begun = new WeakMap<object, number>();
  const since = (at: number) => clock.elapsed() - at;
  const channels: Readonly<Record<string, (message: ConnectionMessage) => void>> = {
    beforeConnect({ connector, connectParams: { host } }) {
      begun.set(connector, clock.elapsed());
      log({ event: "connecting", host });
    },
    connected({ connector, connectParams: { host }, socket }) {
      const openedAt = clock.elapsed();
      log({ event: "connected", host, ms: since(begun.get(connector) ?? openedAt) });
      socket?.once("close", () => log({ event: "connection-closed", host, ms: since(openedAt) }));
    },
    connectError({ connector, connectParams: { host }, error }) {
      const code = error instanceof Error && "code" in error ? String(error.code) : null;
      const ms = since(begun.get(connector) ?? clock.elapsed());
      log({ event: "connection-failed", host, ms, code });
    },
  };
  const subscriptions = Object.entries(channels).map(([name, take]) => {
    const onMessage = (message: unknown) => take(message as ConnectionMessage);
    subscribe(`undici:client:${name}`, onMessage);
    return () => unsubscribe(`undici:client:${name}`, onMessage);
  });
  return () => {
    for (const end of subscriptions) end();
  };
}
