/** A way over TCP to a server on loopback that can be slow, or cut without a word to either end. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Wire extends AsyncDisposable {
  readonly port: number;
  /** Holds everything that is sent from now on, in both directions. */
  cut(): void;
  /** Delivers what was held, in its order. An end of a connection is delivered after its bytes. */
  heal(): void;
}

/** Opens a way to a port. Everything takes `delayMs` in each direction. */
export async function openWire(port: number, delayMs = 0): Promise<Wire> {
  const sockets = new Set<Socket>();
  let held: (() => void)[] | null = null;
  const arrive = (work: () => void) => (held === null ? work() : void held.push(work));
  // Timers of one duration end in the order of their start.
  const send = (work: () => void) =>
    delayMs === 0 ? arrive(work) : void setTimeout(arrive, delayMs, work);
  const carry = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.setNoDelay();
    from.on("error", () => {});
    from.on("data", (bytes) => send(() => void (to.destroyed || to.write(bytes))));
    from.on("end", () => send(() => to.end()));
    from.on("close", () => {
      sockets.delete(from);
      send(() => to.end());
    });
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    carry(near, far);
    carry(far, near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
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
