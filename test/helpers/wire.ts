/** A way over TCP to a server on loopback that can be slow, or cut without a word to either end. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Wire extends AsyncDisposable {
  readonly port: number;
  /** Number of bytes that came from the server, and from its clients, so far. */
  readonly carried: { readonly server: number; readonly clients: number };
  /** Holds everything that is sent from now on, in both directions. */
  cut(): void;
  /** Delivers what was held, in its order. An end of a connection is delivered after its bytes. */
  heal(): void;
}

/** Opens a way to a port. Everything takes `delayMs` in each direction. */
export async function openWire(port: number, delayMs = 0): Promise<Wire> {
  const sockets = new Set<Socket>();
  const carried = { server: 0, clients: 0 };
  let held: (() => void)[] | null = null;
  const arrive = (work: () => void) => (held === null ? work() : void held.push(work));
  // Timers of one duration end in the order of their start.
  const send = (work: () => void) =>
    delayMs === 0 ? arrive(work) : void setTimeout(arrive, delayMs, work);
  const carry = (side: keyof typeof carried, from: Socket, to: Socket) => {
    sockets.add(from);
    from.setNoDelay();
    from.on("error", () => {});
    from.on("data", (bytes) => {
      carried[side] += bytes.length;
      send(() => void (to.destroyed || to.write(bytes)));
    });
    from.on("end", () => send(() => to.end()));
    from.on("close", () => {
      sockets.delete(from);
      send(() => to.end());
    });
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    carry("clients", near, far);
    carry("server", far, near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    carried,
    cut: () => {
      held ??= [];
    },
    heal: () => {
      const late = held ?? [];
      held = null;
      for (const work of late) work();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
