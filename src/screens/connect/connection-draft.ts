import { createHash } from "node:crypto";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useApp } from "../../hooks/app.tsx";
import { isRecord } from "../../json/exact.ts";
import { type ProfileKey, profileSettings } from "../../settings/schemas.ts";
import { checkTeam } from "../../settings/team-address.ts";
import type { SavedDrafts } from "../../state/drafts.ts";
import type { ConnectionForm } from "./connection-form.ts";

/** The storable values of an unfinished connection. They contain no secret. */
type ConnectionDraftData = Readonly<Record<string, string | boolean | null>>;

/** The profile name in a saved draft of a connection. No profile has an empty name. */
const noProfile = "";

interface ConnectionDraft {
  readonly value: ConnectionForm;
  /** The reason why the restored form was unfinished: Esc or a hang-up. Null for a new form. */
  readonly from: "left" | "hung-up" | null;
  set(next: ConnectionForm): void;
  drop(): void;
}

/**
 * Remembers the typed values of a connection. They stay in memory until they are dropped, because
 * they can contain a key. If the terminal hangs up, the values without secrets are saved in the
 * state folder and restored at the next start.
 */
export function useConnectionDraft(
  edited: string | null,
  initial: ConnectionForm,
): ConnectionDraft {
  const { formDrafts, drafts, end } = useApp();
  const key = `connect ${edited ?? ""}`;
  const id = idOf(edited);
  const typed = () => drafts.get(key) as ConnectionForm | undefined;
  const [wasLeft] = useState(() => drafts.has(key));
  const [saved] = useState(() => (wasLeft ? null : takeSaved(formDrafts, id)));
  const [value, setValue] = useState(
    () => typed() ?? (saved === null ? initial : formFromSaved(saved, initial)),
  );
  const isListening = useRef(false);
  const set = (next: ConnectionForm) => {
    drafts.set(key, next);
    setValue(next);
    if (isListening.current) return;
    isListening.current = true;
    // The listener stays after Esc, so that a hang-up then loses no typed values.
    const onEnd = () => {
      const last = typed();
      if (last !== undefined) saveDraft(formDrafts, id, savedFieldsOf(last));
    };
    end.addEventListener("abort", onEnd, { once: true });
  };
  // Restored values count as typed, so that a second hang-up saves them again.
  const restore = useEffectEvent(() => {
    if (saved !== null) set(value);
  });
  useEffect(() => restore(), []);
  const from = wasLeft ? "left" : saved === null ? null : "hung-up";
  return { value, from, set, drop: () => void drafts.delete(key) };
}

function idOf(edited: string | null): string {
  if (edited === null) return "connect";
  return `connect-${createHash("sha256").update(edited).digest("hex").slice(0, 32)}`;
}

function takeSaved(drafts: SavedDrafts, id: string): ConnectionDraftData | null {
  const draft = drafts.find(id);
  if (draft === null) return null;
  try {
    drafts.remove(id);
  } catch {
    // A draft that stays on the disk is restored again by the next console.
  }
  return isRecord(draft.value) ? (draft.value as ConnectionDraftData) : null;
}

function saveDraft(drafts: SavedDrafts, id: string, value: ConnectionDraftData): void {
  try {
    drafts.save({
      id,
      kind: "connection",
      profile: noProfile,
      service: "",
      supplier: "",
      account: null,
      value,
      query: {},
      updatedAt: drafts.find(id)?.updatedAt ?? 0,
      refusals: [],
    });
  } catch {
    // A failure is not reported, because the terminal is closed.
  }
}

/**
 * Returns the part of a form that can be stored after a hang-up: all fields except the API key and
 * addresses that might contain a password.
 */
export function savedFieldsOf({ apiKey: _, ...form }: ConnectionForm): ConnectionDraftData {
  const addresses = ["baseUrl", "graphqlUrl", "proxy"] as const;
  const secret = addresses.filter((field) => /[@?#]/.test(form[field]));
  // The address of a team has a login, and no password unless it was mistyped.
  const mistyped = form.team === "" || checkTeam(form.team) === null ? [] : ["team"];
  return { ...form, ...Object.fromEntries([...secret, ...mistyped].map((field) => [field, ""])) };
}

export function formFromSaved(saved: ConnectionDraftData, initial: ConnectionForm): ConnectionForm {
  const restored = Object.entries(initial).flatMap(([field, before]) => {
    const value = saved[field];
    const { choices } = profileSettings[field as ProfileKey] ?? {};
    const isOffered = value === before || !choices || choices.some((choice) => choice === value);
    return field !== "apiKey" && typeof value === typeof before && isOffered
      ? [[field, value]]
      : [];
  });
  return { ...initial, ...Object.fromEntries(restored) };
}
