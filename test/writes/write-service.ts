/** The client's side of writes, as the program has it. */
import { createService } from "../../src/api/client.ts";
import { type Clock, systemClock } from "../../src/api/clock.ts";
import { memoryCredentials } from "../../src/settings/credentials.ts";
import { createSecrets } from "../../src/settings/secrets.ts";
import type { WriteService } from "../../src/writes/send/events.ts";

export interface TestService extends WriteService {
  close(): Promise<void>;
}

export interface TestCredentials {
  readonly apiKey?: string;
  readonly token?: string;
}

/** A service at a base URL, with the given key or token; look-ups are asked for once. */
export function writeService(
  baseUrl: string,
  credentials: TestCredentials,
  clock: Clock = systemClock,
): TestService {
  const service = createService({
    baseUrl,
    credentials: memoryCredentials(createSecrets(credentials)),
    authForm: "token",
    clock,
  });
  return {
    ...service,
    supplyPoints: {
      status: (supplier, identifier, options) =>
        service.supplyPoints.status(supplier, identifier, { ...options, retries: 0 }),
    },
  };
}
