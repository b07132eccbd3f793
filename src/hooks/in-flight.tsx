import { createContext, type ReactNode, useEffect, useMemo } from "react";
import { useRequired } from "./context.ts";

/** What Ctrl-C can cancel; each item is one thing that is running. */
export interface InFlight {
  add(cancel: () => void): () => void;
  /** Cancels everything that is running; false when nothing was. */
  cancelAll(): boolean;
}

const InFlightContext = createContext<InFlight | null>(null);

/** Holds everything that Ctrl-C can cancel. */
export function InFlightProvider(props: { readonly children: ReactNode }) {
  const inFlight = useMemo<InFlight>(() => {
    const entries = new Set<() => void>();
    return {
      add(cancel) {
        entries.add(cancel);
        return () => entries.delete(cancel);
      },
      cancelAll() {
        const running = [...entries];
        for (const cancel of running) cancel();
        return running.length > 0;
      },
    };
  }, []);
  return <InFlightContext value={inFlight}>{props.children}</InFlightContext>;
}

/** Everything that Ctrl-C can cancel. */
export function useInFlight(): InFlight {
  return useRequired(InFlightContext, "InFlightProvider");
}

/** Lets Ctrl-C call `cancel` while `running`. */
export function useCancellable(running: boolean, cancel: () => void): void {
  const inFlight = useInFlight();
  useEffect(() => (running ? inFlight.add(cancel) : undefined), [inFlight, running, cancel]);
}
