import type { SupplyPointProcess } from "../../api/service.ts";
import { readPaths } from "../../api/url.ts";
import { Body } from "../../components/body.tsx";
import { CheckedStatus } from "../../components/checked-status.tsx";
import type { Fact } from "../../components/facts.tsx";
import { errorPlace } from "../../components/problem.tsx";
import { useHere } from "../../hooks/app.tsx";
import { type Checking, useChecking, useCheckingActions } from "../../hooks/checking.ts";
import { useDraftKinds } from "../../hooks/drafts.ts";
import { useForgetMissing } from "../../hooks/history.tsx";
import { useSentFromHere } from "../../hooks/journal.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useCheckedVerdict } from "../../hooks/verdict.ts";
import { useWatchAction } from "../../hooks/watching.ts";
import { useSubject } from "../../hooks/window.tsx";
import { composeActions } from "../../session/compose-actions.ts";
import { handOverKey } from "../../session/hand-over-key.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { formatInstant } from "../../text/dates.ts";
import { supplyPointStateWords } from "../../triage/state-words.ts";
import type { ReportedTime } from "../../triage/verdict.ts";

/** Shows the import of one supply point and reads its status repeatedly (INTERFACE 4.7). */
export function SupplyPointScreen(props: {
  readonly supplier: string;
  readonly identifier: string;
}) {
  const { supplier, identifier } = props;
  const here = useHere();
  const { session } = here;
  const { clipboard } = here.app;
  const byNumber = openByNumber(here.app, supplier);
  const checking = useChecking("supply-point", supplier, identifier);
  useForgetMissing({ kind: "supply-point", supplier, identifier }, checking.missing);
  const sent = useSentFromHere({ kind: "supply-point", supplier, identifier });
  const writes = composeActions(here, supplier, null, useDraftKinds(supplier, null));
  const process = checking.latest?.value ?? null;
  const serviceIdentifier = process?.service_identifier ?? "";
  const verdict = useCheckedVerdict("supply-point", checking, {
    listed: null,
    reported: checking.final ? modifiedAt(process) : null,
    pace: null,
  });
  const handOver = handOverKey(here, {
    kind: "supply-point",
    supplier,
    number: identifier,
    serviceNumber: serviceIdentifier,
    verdict,
  });
  useSubject({ values: { status: checking.transitions.at(-1)?.state } });
  useKeys({
    ...useCheckingActions(checking, `${supplier}/${identifier}`),
    ...writes,
    watch: useWatchAction({ kind: "supply-point", supplier, number: identifier }),
    ...byNumber,
    copy: () =>
      clipboard(
        serviceIdentifier === "" ? identifier : serviceIdentifier,
        serviceIdentifier === "" ? identifier : serviceIdentifier,
      ),
    "copy-row": handOver,
    "as-command": () =>
      showAsCommand(
        here,
        { kind: "supply-point-status", supplier, id: identifier },
        readPaths.supplyPointStatus(supplier, identifier),
      ),
  });
  return (
    <Body>
      <CheckedStatus
        checking={checking}
        words={supplyPointStateWords}
        name={{ label: "External identifier", value: identifier }}
        facts={factsOf(process, supplyPointStateWords(checking.transitions).tone === "bad")}
        verdict={verdict}
        reason={reasonOf(checking)}
        sent={sent}
        context={{
          doing: `reading the status of supply point ${identifier}`,
          ...errorPlace(session),
          subject: { kind: "supply-point", supplier, id: identifier },
        }}
      />
    </Body>
  );
}

SupplyPointScreen.help = {
  name: "Supply point",
  about: [
    "The import of one supply point, checked repeatedly. Creating a supply point schedules its import, which runs afterwards.",
    "An import in error shows the code, the domain and the detail from the service.",
  ],
  words: ["supply-point", "outcome"],
} as const;

/** Returns the service's error message about a failed import, or null if there is none. */
function reasonOf({ latest, transitions }: Checking<SupplyPointProcess>): string | null {
  const detail = latest?.value.latest_error?.detail ?? "";
  return supplyPointStateWords(transitions).tone === "bad" && detail !== "" ? detail : null;
}

function modifiedAt(process: SupplyPointProcess | null): ReportedTime | null {
  const at = Date.parse(process?.modified_at ?? "");
  return Number.isNaN(at) ? null : { label: "last modified", at };
}

function factsOf(process: SupplyPointProcess | null, isInError: boolean): readonly Fact[] {
  if (process === null) return [];
  const error = process.latest_error;
  return [
    { label: "Service identifier", value: process.service_identifier || "none yet" },
    { label: "Created", value: instant(process.created_at) },
    { label: "Modified", value: instant(process.modified_at) },
    ...(error
      ? ([
          { label: "Error code", value: error.code, tone: "bad" },
          { label: "Error domain", value: error.domain, tone: "bad" },
          // A failed import already shows this text as its explanation.
          ...(isInError
            ? []
            : [{ label: "Error detail", value: error.detail, tone: "bad" } as const]),
        ] as const)
      : []),
  ];
}

function instant(text: string | null): string {
  if (text === null) return "–";
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : formatInstant(ms);
}
