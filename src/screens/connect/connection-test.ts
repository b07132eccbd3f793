/** Tests a typed connection against its service for the Connect screen. */
import { useCallback, useEffect, useRef, useState } from "react";
import { createService } from "../../api/client.ts";
import type { CredentialSource, TokenFacts } from "../../api/service.ts";
import { useApp } from "../../hooks/app.tsx";
import { useCancellable } from "../../hooks/in-flight.tsx";
import { memoryCredentials } from "../../settings/credentials.ts";
import type { Profile } from "../../settings/schemas.ts";
import { createSecrets } from "../../settings/secrets.ts";
import { serviceOptions } from "../../settings/service-options.ts";

/** A connection that works. Only `apiKey` and `credentials` contain secrets. */
export interface PassedTest {
  readonly kind: "passed";
  readonly profile: Profile;
  readonly apiKey: string | null;
  readonly credentials: CredentialSource;
  readonly facts: TokenFacts;
}

type ConnectionTestState =
  | { readonly kind: "idle" }
  | { readonly kind: "testing" }
  | PassedTest
  | { readonly kind: "failed"; readonly error: unknown };

export interface ConnectionTest {
  readonly state: ConnectionTestState;
  /** Requests a new token. Without `apiKey`, uses the saved key of the profile. */
  run(profile: Profile, apiKey: string | null): void;
  forget(): void;
}

/** Tests a profile against its service (INTERFACE 5.2) without saving anything. */
export function useConnectionTest(): ConnectionTest {
  const { settings, secrets, env } = useApp();
  const [state, setState] = useState<ConnectionTestState>({ kind: "idle" });
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => stop, [stop]);
  useCancellable(state.kind === "testing", stop);
  const run = useCallback(
    (profile: Profile, apiKey: string | null) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setState({ kind: "testing" });
      const attempt = async (): Promise<ConnectionTestState> => {
        const credentials =
          apiKey === null
            ? settings.credentials(profile, secrets)
            : memoryCredentials(createSecrets({ apiKey }));
        const service = createService(serviceOptions({ profile }, env, credentials, null));
        try {
          const facts = await service.authenticate({ fresh: true, signal: controller.signal });
          return { kind: "passed", profile, apiKey, credentials, facts };
        } finally {
          await service.close();
        }
      };
      void attempt()
        .catch((error: unknown): ConnectionTestState => ({ kind: "failed", error }))
        .then((next) => {
          // The late result of a replaced or canceled test is dropped.
          if (running.current !== controller) return;
          setState(controller.signal.aborted ? { kind: "idle" } : next);
        });
    },
    [settings, secrets, env],
  );
  const forget = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setState({ kind: "idle" });
  }, []);
  return { state, run, forget };
}
