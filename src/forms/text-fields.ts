import type { LeafField } from "./fields.ts";

/** Optional one-line texts, from wire name to label. */
export function texts(labels: Readonly<Record<string, string>>): readonly LeafField[] {
  return Object.entries(labels).map(([name, label]) => ({
    name,
    label,
    type: "text",
    presence: "optional",
  }));
}

/** The same for texts that are usually e-mail addresses or phone numbers. */
export function contacts(
  labels: Readonly<Record<string, readonly [label: string, looksLike: "email" | "phone"]>>,
): readonly LeafField[] {
  return Object.entries(labels).map(([name, [label, looksLike]]) => ({
    name,
    label,
    type: "text",
    looksLike,
    presence: "optional",
  }));
}

/** Optional one-line texts that INTERFACE lets stand empty. */
export function partsThatMayBeEmpty(
  labels: Readonly<Record<string, string>>,
): readonly LeafField[] {
  return Object.entries(labels).map(([name, label]) => ({
    name,
    label,
    type: "text",
    mayBeEmpty: true,
    presence: "optional",
  }));
}
