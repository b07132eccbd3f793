/** Binds the user's commands from commands.json to the screen on top. */
import { useEffect, useLayoutEffect, useRef } from "react";
import { useApp, useLock, useOpenSession, usePlace, useWriteLock } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import type { CustomKey, ScreenSubject } from "../../session/app.ts";
import { type Place, placeTable } from "../../session/places.ts";
import type { CustomCommand } from "../../settings/custom/custom-command.ts";
import {
  currentUser,
  markedNumbers,
  maxArguments,
  placeholdersOf,
  type RowValues,
  type Values,
} from "../../settings/custom/values.ts";
import { utcInstant } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import { type CommandRequest, useRunCommand } from "./run-command.ts";

const maxRows = 100_000;

function valuesOf(place: Place): RowValues {
  switch (place.kind) {
    case "account":
      return { import_supplier: place.supplier, external_account_number: place.account };
    case "supply-point":
      return { import_supplier: place.supplier, external_identifier: place.identifier };
    case "write":
      return { journal_id: place.id };
    case "run":
      return { run: place.id };
    default:
      return "supplier" in place && place.supplier !== null
        ? { import_supplier: place.supplier }
        : {};
  }
}

export function CustomCommands() {
  const { custom, clock, env, subject: subjects, customKeys: keys } = useApp();
  const subject = useStore(subjects);
  const place = usePlace() ?? null;
  const session = useOpenSession();
  const locked = useWriteLock();
  const { until } = useLock();
  const run = useRunCommand();
  const screen = place === null ? null : (placeTable[place.kind].commandScreen ?? null);
  const available = (custom?.commands ?? []).filter(
    (command) => screen !== null && session !== null && command.screens.includes(screen),
  );
  const values: Values =
    place === null || session === null
      ? {}
      : {
          profile: session.profile.name,
          environment: session.profile.environment,
          base_url: session.baseUrl,
          screen: screen ?? undefined,
          me: currentUser(env),
          ...valuesOf(place),
          ...subject?.values,
        };
  const bound = available.map((command): CustomKey => {
    const reason = disabledReason(command, values, subject);
    const isLocked = command.writes && until === null ? locked : null;
    return {
      name: command.name,
      key: command.key,
      description: command.description,
      disabled: reason ?? isLocked,
      run: () =>
        run(command, {
          ...requestOf(command, values, subject),
          now: utcInstant(clock.now()),
        }),
    };
  });
  const keyed = withoutSharedKeys(bound, available, subject);
  const latest = useRef(keyed);
  useLayoutEffect(() => {
    latest.current = keyed;
  });
  const visiblePart = JSON.stringify(keyed.map(({ run: _, ...shown }) => shown));
  // The footer is drawn again only if the shown text changes. A key always runs the latest binding.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the visible part matters
  useLayoutEffect(() => {
    keys.set(
      latest.current.map((command, index) => ({
        ...command,
        run: () => latest.current[index]?.run(),
      })),
    );
  }, [keys, visiblePart]);
  useEffect(() => () => keys.set([]), [keys]);
  return null;
}

function disabledReason(
  command: CustomCommand,
  values: Values,
  subject: ScreenSubject | null,
): string | null {
  if (command.rows === "marked") {
    const marked = subject?.marked?.count ?? 0;
    if (marked === 0) return `${command.name} works on marked rows: mark some first.`;
    if (marked > maxRows) return `${command.name} accepts at most ${count(maxRows)} marked rows.`;
    if (marked > maxArguments && placeholdersOf(command).includes(markedNumbers))
      return `${command.name} accepts at most ${count(maxArguments)} marked rows as arguments.`;
  }
  const missing = placeholdersOf(command).find(
    (name) => name !== "now" && name !== markedNumbers && !values[name],
  );
  return missing === undefined ? null : `${command.name}: {${missing}} is not known here.`;
}

function requestOf(
  command: CustomCommand,
  values: Values,
  subject: ScreenSubject | null,
): Omit<CommandRequest, "now"> {
  if (command.rows === "one") return { values, rows: [] };
  return { values, rows: subject?.marked?.find(maxRows) ?? [] };
}

/**
 * Removes a shared key from all but one command. If a command for one row and a command for marked
 * rows have the same key, the key runs the command for marked rows while rows are marked.
 */
function withoutSharedKeys(
  bound: readonly CustomKey[],
  commands: readonly CustomCommand[],
  subject: ScreenSubject | null,
): readonly CustomKey[] {
  const wanted = (subject?.marked?.count ?? 0) > 0 ? "marked" : "one";
  return bound.map((command, index) => {
    const isShared = bound.some((other) => other !== command && other.key === command.key);
    return isShared && commands[index]?.rows !== wanted ? { ...command, key: null } : command;
  });
}
