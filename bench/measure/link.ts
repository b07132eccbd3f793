import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { now, pause } from "./clock.ts";

/** The way to a service over a slow network. */
export interface Link extends AsyncDisposable {
  readonly baseUrl: string;
}

/** Opens a link that carries `bytesPerSecond` from the service at `baseUrl`. */
export async function openLink(baseUrl: string, bytesPerSecond: number): Promise<Link> {
  const { port } = new URL(baseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection(Number(port), "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    // Whoever hangs up ends it.
    pipeline(near, far).catch(() => far.destroy());
    pipeline(far, shaped(bytesPerSecond), near).catch(() => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Passes each piece on when the bytes before it have had their time, and no idle time counts for later. */
function shaped(bytesPerSecond: number): Transform {
  let free = now();
  return new Transform({
    highWaterMark: 16 * 1024,
    async transform(piece: Buffer, _encoding, done) {
      free = Math.max(free, now()) + (piece.length / bytesPerSecond) * 1000;
      const wait = free - now();
      if (wait > 1) await pause(wait);
      done(null, piece);
    },
  });
}
