import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A service that gives a token and refuses every list, or begins one that never ends. */
export async function refusingLists(how: "refused" | "never ends" = "refused") {
  const server = createServer((request, response) => {
    if (request.url?.includes("graphql")) {
      const token = { token: "t", refreshToken: "r", refreshExpiresIn: 1 };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: { obtainToken: token } }));
    } else if (how === "refused") {
      response.writeHead(403, { "content-type": "application/json" });
      response.end(JSON.stringify({ detail: "not yours" }));
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("[");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, apiKey: "key-0123456789" };
}
