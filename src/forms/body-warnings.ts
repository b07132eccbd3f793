/** Finds unusual values in the body of a request, and returns warnings about them. */
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  memberText,
  type Path,
} from "../json/exact.ts";
import { nearest } from "../text/suggest.ts";
import { decimalPlaces } from "./decimals.ts";
import {
  bodyShape,
  type Field,
  type Form,
  fits,
  isLeafField,
  type Leaf,
  relevanceOf,
  type Shape,
  type Sibling,
} from "./fields.ts";
import { lookAlikeWarnings, unseenWarnings } from "./odd-characters.ts";
import type { Issue, Rule } from "./rules.ts";
import { mayBeEmpty } from "./schema.ts";

/**
 * Returns the warnings about a body: unusual values that might be intended. The body can still be
 * sent.
 */
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
    ...(missing.length === 0 ? [] : [leftOut(missing, path)]),
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
      // A choice in an unused field needs no second warning.
      const own =
        unused.length > 0 && field.type === "enumeration"
          ? []
          : warningsOfField(field, inner, place, sibling);
      return [...unused, ...empty, ...own];
    }),
    ...ruled(shape.warnings, value, path),
  ];
}

const emptyWords =
  "This is empty and is sent empty. Leave out a field that you do not want to send.";

/** Returns true if a value is empty and INTERFACE does not document that it can be empty. */
function isEmptyByHand(field: Field, value: Json): boolean {
  if (!mayBeEmpty(field)) return false;
  if (value === "") return field.type !== "text" || field.mayBeEmpty !== true;
  if (isJsonArray(value)) return value.length === 0 && field.presence === "optional";
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function leftOut(missing: readonly Field[], path: Path): Issue {
  const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  const words = (names: readonly string[]) =>
    `${names.join(", ")} ${are} empty; the service may need ${them}.`;
  return {
    path,
    message: words(missing.map(({ label }) => label)),
    onWire: words(missing.map(({ name }) => name)),
  };
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
      return [
        ...(leaf.identifier || leaf.reference ? lookAlikeWarnings(value) : unseenWarnings(value)),
        ...oddText(value, /\p{Cc}/u),
        ...unlike(leaf.looksLike, value),
      ];
    case "document-path":
      if (typeof value !== "string") return [];
      return [...unseenWarnings(value), ...oddText(value, /\p{Cc}/u)];
    case "multiline":
      if (typeof value !== "string") return [];
      return [...unseenWarnings(value), ...oddText(value.trim(), /[^\P{Cc}\t\r\n]/u)];
    default:
      return [];
  }
}

const looks = {
  email: { like: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, name: "an e-mail address" },
  phone: { like: /^\+?(?=(?:\D*\d){3})[\d\s()./-]+$/, name: "a phone number" },
} as const;

/** Returns a warning if a text does not have the usual form of its field. */
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
  const guess = meant === null ? `Known: ${values.join(", ")}.` : `Did you mean ${meant}?`;
  return [`Unknown value, sent as typed. ${guess}`];
}
