/** Promise: a server may send interim responses, one or more, before any response (RFC 9110, 15.2). */
import { submit } from "../../src/writes/submit.ts";
import { openSocketService } from "../helpers/service.ts";
import { contextFor, hurried, instruction } from "../writes/writing.ts";
import { connected } from "./connected.ts";

const interim = "HTTP/1.1 100 Continue\r\n\r\n";
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
const answer = (status: number, body: unknown) => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
};
const completed = { status: "COMPLETED", service_account_number: "A-1" };

/** A server that answers each request with these pieces, each in a separate packet. */
async function answering(...pieces: readonly string[]) {
  let requests = 0;
  let connections = 0;
  const { baseUrl } = await openSocketService(
    (socket) => {
      connections += 1;
      socket.setNoDelay(true);
      socket.on("data", () => {
        requests += 1;
        const send = ([piece, ...others]: readonly string[]) => {
          if (piece !== undefined) socket.write(piece, () => setImmediate(send, others));
        };
        send(pieces);
      });
    },
    { speaksFirst: true },
  );
  return { baseUrl, requests: () => requests, connections: () => connections };
}

describe("100 Continue before the answer to a read", () => {
  test.each<[string, readonly string[]]>([
    ["in the same packet", [interim + answer(200, completed)]],
    ["in its own packet", [interim, answer(200, completed)]],
    ["three times", [interim, interim + interim, answer(200, completed)]],
    [
      "byte by byte",
      [...(interim + answer(200, completed).slice(0, 20)), answer(200, completed).slice(20)],
    ],
    [
      "with headers and without a reason",
      ["HTTP/1.1 100\r\nserver: x\r\n\r\n", answer(200, completed)],
    ],
    ["of HTTP/1.0", ["HTTP/1.0 100 Continue\r\n\r\n", answer(200, completed)]],
    ["before 103", [interim, hints, answer(200, completed)]],
    ["after 103", [hints, interim, answer(200, completed)]],
    [
      "among others",
      [`HTTP/1.1 102 Processing\r\n\r\n${interim}`, hints + interim, answer(200, completed)],
    ],
    [
      "after a status that is not registered",
      [`HTTP/1.1 199 X\r\n\r\n${interim}`, answer(200, completed)],
    ],
    ["not at all", [answer(200, completed)]],
  ])("is skipped %s, on each request of a connection", async (_how, pieces) => {
    const server = await answering(...pieces);
    const { service } = connected(server.baseUrl);
    for (let n = 1; n <= 3; n++) {
      const { value } = await service.accounts.status("ACME", "EXT-1", { retries: 0 });
      expect(value).toEqual(completed);
      expect(server.requests()).toBe(n);
    }
    // One of them had several requests.
    expect(server.connections()).toBeLessThan(3);
  });

  test("without an end is an error, and its bytes are bounded", async () => {
    const server = await answering(`HTTP/1.1 100 Continue\r\nx: ${"x".repeat(20_000)}`);
    const { service } = connected(server.baseUrl);
    await expect(service.accounts.status("ACME", "EXT-1", { retries: 0 })).rejects.toMatchObject({
      facts: { sent: true },
    });
  });

  test("that never ends to come is an error", async () => {
    const server = await answering(interim.repeat(2_000));
    const { service } = connected(server.baseUrl);
    await expect(service.accounts.status("ACME", "EXT-1", { retries: 0 })).rejects.toMatchObject({
      kind: "unreachable",
      facts: { sent: true },
    });
  });
});

test("a payment behind 100 Continue is confirmed, and sent once", async () => {
  const paid = { service_account_number: "A-1", reference: "R-1" };
  const server = await answering(interim, answer(201, paid));
  const context = await contextFor(server.baseUrl);
  const result = await submit(context, instruction(), hurried().options);
  expect(result).toMatchObject({ outcome: "confirmed", httpStatus: 201 });
});
