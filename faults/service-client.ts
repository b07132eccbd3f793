/** The client's side of writes, as the program has it. */
import { createService } from "../src/api/client.ts";
import type { Clock } from "../src/api/clock.ts";
import type { Service } from "../src/api/service.ts";
import { memoryCredentials } from "../src/settings/credentials.ts";
import { createSecrets } from "../src/settings/secrets.ts";

export function openService(baseUrl: string, apiKey: string, clock: Clock): Service {
  return createService({
    baseUrl,
    credentials: memoryCredentials(createSecrets({ apiKey })),
    authForm: "token",
    clock,
  });
}
