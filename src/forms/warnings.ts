import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  memberText,
  type Path,
} from "../json/value.ts";
import { nearest } from "../text/suggest.ts";
import { decimalPlaces } from "./decimals.ts";
import {
  bodyShape,
  type Field,
  type Form,
  fits,
  isLeafField,
  type Leaf,
  type Rule,
  relevanceOf,
  type Shape,
  type Sibling,
} from "./fields.ts";
import type { Issue } from "./issue.ts";
import { mayBeEmpty } from "./schema.ts";

/** What is odd about a body but may be meant: it can be sent all the same. */
export function warningsOf(form: Form, body: Json): readonly Issue[] {
  return warningsOfShape(bodyShape(form), body, []);
}

function warningsOfShape(shape: Shape, value: Json, path: Path): readonly Issue[] {
  if (!isJsonObject(value)) return [];
  const sibling: Sibling = (name) => memberText(value, name);
  const missing = shape.fields.filter(
    (field) => field.presence === "expected" && !Object.hasOwn(value, field.name),
  );
  return [
    ...(missing.length === 0 ? [] : [{ path, message: leftOut(missing) }]),
    ...shape.fields.flatMap((field) => {
      const inner = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (inner === undefined) return [];
      const place = [...path, field.name];
      const decided = field.usedWith && sibling(field.usedWith.field);
      const unused =
        relevanceOf(field, shape.fields, sibling) === "unused"
          ? [{ path: place, message: `The interface does not show it with ${decided}.` }]
          : [];
      const empty = isEmptyByHand(field, inner) ? [{ path: place, message: emptyWords }] : [];
      return [...unused, ...empty, ...warningsOfField(field, inner, place, sibling)];
    }),
    ...ruled(shape.warnings, value, path),
  ];
}

const emptyWords =
  "This is empty and is sent empty. Leave out a field that you do not want to send.";

/** Whether something stands there with nothing in it, where INTERFACE does not show it so. */
function isEmptyByHand(field: Field, value: Json): boolean {
  if (!mayBeEmpty(field)) return false;
  if (value === "") return field.type !== "text" || field.mayBeEmpty !== true;
  if (isJsonArray(value)) return value.length === 0 && field.presence === "optional";
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function leftOut(missing: readonly Field[]): string {
  const labels = missing.map(({ label }) => label).join(", ");
  return `Left empty: ${labels}. The interface does not say whether ${missing.length === 1 ? "it" : "they"} can be left out.`;
}

function warningsOfField(
  field: Field,
  value: Json,
  path: Path,
  sibling: Sibling,
): readonly Issue[] {
  if (isLeafField(field)) {
    return messagesOf(field, value, sibling).map((message) => ({ path, message }));
  }
  if (field.type === "object") return warningsOfShape(field, value, path);
  if (!isJsonArray(value)) return [];
  if (field.type === "list") {
    return value.flatMap((entry, at) =>
      messagesOf(field.item, entry, sibling).map((message) => ({ path: [...path, at], message })),
    );
  }
  return [
    ...value.flatMap((row, at) => warningsOfShape(field.item, row, [...path, at])),
    ...ruled(field.warnings, value, path),
  ];
}

function ruled(rules: readonly Rule[] = [], value: Json, path: Path): readonly Issue[] {
  return rules
    .flatMap((rule) => rule(value))
    .map((remark) => ({ path: [...path, ...remark.path], message: remark.message }));
}

function messagesOf(leaf: Leaf, value: Json, sibling: Sibling): readonly string[] {
  switch (leaf.type) {
    case "enumeration":
      return typeof value === "string" ? unseen(leaf, value, sibling) : [];
    case "amount":
      return leaf.places !== undefined &&
        isJsonNumber(value) &&
        decimalPlaces(value.rawJSON) > leaf.places
        ? [`More than ${leaf.places} decimal places; it is sent unchanged.`]
        : [];
    case "text":
      if (typeof value !== "string") return [];
      return [...oddText(value, /\p{Cc}/u), ...unlike(leaf.looksLike, value)];
    case "document-path":
      return typeof value === "string" ? oddText(value, /\p{Cc}/u) : [];
    case "multiline":
      return typeof value === "string" ? oddText(value.trim(), /[^\P{Cc}\t\r\n]/u) : [];
    default:
      return [];
  }
}

const looks = {
  email: { like: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, name: "an e-mail address" },
  phone: { like: /^\+?(?=(?:\D*\d){3})[\d\s()./-]+$/, name: "a phone number" },
} as const;

/** Whether a text cannot be what its field is usually given. */
function unlike(kind: keyof typeof looks | undefined, value: string): readonly string[] {
  if (kind === undefined || value.trim() === "" || looks[kind].like.test(value.trim())) return [];
  return [`This does not look like ${looks[kind].name}; it is sent unchanged.`];
}

function oddText(text: string, controls: RegExp): readonly string[] {
  return [
    ...(text.trim() === text ? [] : ["It begins or ends with a space."]),
    ...(controls.test(text) ? ["It contains control characters."] : []),
  ];
}

function unseen(
  leaf: Extract<Leaf, { type: "enumeration" }>,
  value: string,
  sibling: Sibling,
): readonly string[] {
  const seen = leaf.values.find((one) => one.value === value);
  if (seen !== undefined) {
    if (fits(seen, leaf, sibling)) return [];
    return [`Seen with ${seen.with?.join(", ")}, not with ${sibling(leaf.by ?? "")}.`];
  }
  const values = leaf.values.map((one) => one.value);
  const meant = nearest(value, values);
  const guess = meant === null ? `Seen: ${values.join(", ")}.` : `Did you mean ${meant}?`;
  return [`A value not seen before; it is sent unchanged. ${guess}`];
}
