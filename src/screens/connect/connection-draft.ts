/** Saves the typed values of a connection while it is edited, also after a hang-up. */
import { createHash } from "node:crypto";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useApp } from "../../hooks/app.tsx";
import { isRecord } from "../../json/exact.ts";
import type { SavedDrafts } from "../../state/drafts.ts";
import type { ConnectionForm } from "./connection-form.ts";

/** The storable values of an unfinished connection. They contain no secret. */
type ConnectionDraftData = Readonly<Record<string, string | boolean | null>>;

/** The profile name of the draft. No profile has an empty name. */
const ofNoProfile = "";

/** The typed values of a connection, as long as it is edited. */
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
  const [saved] = useState(() => (wasLeft ? null : takeUp(formDrafts, id)));
  const [value, setValue] = useState(
    () => typed() ?? (saved === null ? initial : formFromSaved(saved, initial)),
  );
  const keepAtEnd = useRef(false);
  const set = (next: ConnectionForm) => {
    drafts.set(key, next);
    setValue(next);
    if (keepAtEnd.current) return;
    keepAtEnd.current = true;
    // The listener stays after Esc, so that a hang-up then loses no typed values.
    const onEnd = () => {
      const last = typed();
      if (last !== undefined) keepDraft(formDrafts, id, savedFieldsOf(last));
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

/** Returns the draft of an earlier console, and removes it from the disk. */
function takeUp(drafts: SavedDrafts, id: string): ConnectionDraftData | null {
  const found = drafts.find(id);
  if (found === null) return null;
  try {
    drafts.remove(id);
  } catch {
    // The draft stays on the disk, and is restored again.
  }
  return isRecord(found.value) ? (found.value as ConnectionDraftData) : null;
}

function keepDraft(drafts: SavedDrafts, id: string, value: ConnectionDraftData): void {
  try {
    drafts.save({
      id,
      kind: "connection",
      profile: ofNoProfile,
      supplier: "",
      account: null,
      value,
      query: {},
      updatedAt: drafts.find(id)?.updatedAt ?? 0,
      refusals: [],
    });
  } catch {
    // The terminal is closed: no one can read a message.
  }
}

/**
 * Returns the part of a form that can be stored after a hang-up. It contains neither the key nor an
 * address that might contain a password.
 */
export function savedFieldsOf({ apiKey: _, ...form }: ConnectionForm): ConnectionDraftData {
  const addresses = ["baseUrl", "graphqlUrl", "proxy"] as const;
  const secret = addresses.filter((field) => /[@?#]/.test(form[field]));
  return { ...form, ...Object.fromEntries(secret.map((field) => [field, ""])) };
}

/** Merges a stored form into the initial values. */
export function formFromSaved(saved: ConnectionDraftData, initial: ConnectionForm): ConnectionForm {
  const { environment, authForm, compression } = saved;
  const fitting = Object.entries(initial).flatMap(([field, before]) => {
    const value = saved[field];
    return !isChecked(field) && typeof value === typeof before ? [[field, value]] : [];
  });
  return {
    ...initial,
    ...Object.fromEntries(fitting),
    ...(environment === "test" || environment === "production" ? { environment } : {}),
    ...(authForm === "token" || authForm === "bare" ? { authForm } : {}),
    ...(compression === "on" || compression === "off" ? { compression } : {}),
  };
}

/**
 * Returns true if a stored field needs a separate check, or is the API key, which is never
 * restored.
 */
function isChecked(field: string): boolean {
  return ["environment", "authForm", "compression", "apiKey"].includes(field);
}
