/** Returns warnings about unusual values in the body of a request. */
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
import { invisibleWarnings, lookAlikeWarnings, quotationWarnings } from "./odd-characters.ts";
import type { Issue, Rule } from "./rules.ts";
import { acceptsEmptyText } from "./schema.ts";
import { numberWarnings } from "./spreadsheet-numbers.ts";

/** Returns the warnings about a body: unusual values that might be intended and can be sent. */
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
    ...(missing.length === 0 ? [] : [missingWarning(missing, path)]),
    ...shape.fields.flatMap((field) => {
      const inner = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (inner === undefined) return [];
      const place = [...path, field.name];
      const decided = field.usedWith && sibling(field.usedWith.field);
      const unused =
        relevanceOf(field, shape.fields, sibling) === "unused"
          ? [{ path: place, message: `The interface does not show it with ${decided}.` }]
          : [];
      const empty = isUnexpectedlyEmpty(field, inner) ? [{ path: place, message: emptyWords }] : [];
      // The value of an enumeration is not checked if its field is unused.
      const fieldWarnings =
        unused.length > 0 && field.type === "enumeration"
          ? []
          : warningsOfField(field, inner, place, sibling);
      return [...unused, ...empty, ...fieldWarnings];
    }),
    ...ruleWarnings(shape.warningRules, value, path),
  ];
}

const emptyWords =
  "This is empty and is sent empty. Leave out a field that you do not want to send.";

/** Returns true if a value is empty and INTERFACE does not document that it can be. */
function isUnexpectedlyEmpty(field: Field, value: Json): boolean {
  if (!acceptsEmptyText(field)) return false;
  if (value === "") return field.type !== "text" || field.mayBeEmpty !== true;
  if (isJsonArray(value)) return value.length === 0 && field.presence === "optional";
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function missingWarning(missing: readonly Field[], path: Path): Issue {
  const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  const message = (names: readonly string[]) =>
    `${names.join(", ")} ${are} empty; the service may need ${them}.`;
  return {
    path,
    message: message(missing.map(({ label }) => label)),
    onWire: message(missing.map(({ name }) => name)),
  };
}

function warningsOfField(
  field: Field,
  value: Json,
  path: Path,
  sibling: Sibling,
): readonly Issue[] {
  if (isLeafField(field)) {
    return leafWarnings(field, value, sibling).map((message) => ({ path, message }));
  }
  if (field.type === "object") return warningsOfShape(field, value, path);
  if (!isJsonArray(value)) return [];
  if (field.type === "list") {
    return value.flatMap((entry, at) =>
      leafWarnings(field.item, entry, sibling).map((message) => ({ path: [...path, at], message })),
    );
  }
  return [
    ...value.flatMap((row, at) => warningsOfShape(field.item, row, [...path, at])),
    ...ruleWarnings(field.warningRules, value, path),
  ];
}

function ruleWarnings(rules: readonly Rule[] = [], value: Json, path: Path): readonly Issue[] {
  return rules
    .flatMap((rule) => rule(value))
    .map((issue) => ({ path: [...path, ...issue.path], message: issue.message }));
}

function leafWarnings(leaf: Leaf, value: Json, sibling: Sibling): readonly string[] {
  switch (leaf.type) {
    case "enumeration":
      return typeof value === "string" ? enumerationWarnings(leaf, value, sibling) : [];
    case "amount":
      return leaf.maxDecimals !== undefined &&
        isJsonNumber(value) &&
        decimalPlaces(value.rawJSON) > leaf.maxDecimals
        ? [
            `More than ${leaf.maxDecimals} decimal places; it is sent unchanged.${thousandsHint(value.rawJSON)}`,
          ]
        : [];
    case "text":
      if (typeof value !== "string") return [];
      return [
        ...(leaf.identifier || leaf.reference
          ? [...lookAlikeWarnings(value), ...numberWarnings(value), ...quotationWarnings(value)]
          : invisibleWarnings(value)),
        ...blankAndControlWarnings(value, /\p{Cc}/u),
        ...formatWarnings(leaf.looksLike, value),
      ];
    case "document-path":
      if (typeof value !== "string") return [];
      return [...invisibleWarnings(value), ...blankAndControlWarnings(value, /\p{Cc}/u)];
    case "multiline":
      if (typeof value !== "string") return [];
      return [
        ...invisibleWarnings(value),
        ...blankAndControlWarnings(value.trim(), /[^\P{Cc}\t\r\n]/u),
      ];
    case "date":
    case "datetime":
    case "number":
    case "boolean":
      return [];
  }
}

function thousandsHint(number: string): string {
  return /^-?\d{1,3}\.\d{3}$/.test(number)
    ? ` If the point separates thousands, write ${number.replace(".", "")}.`
    : "";
}

const formats = {
  email: { pattern: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, name: "an e-mail address" },
  phone: { pattern: /^\+?(?=(?:\D*\d){3})[\d\s()./-]+$/, name: "a phone number" },
} as const;

function formatWarnings(kind: keyof typeof formats | undefined, value: string): readonly string[] {
  if (kind === undefined || value.trim() === "" || formats[kind].pattern.test(value.trim()))
    return [];
  return [`This does not look like ${formats[kind].name}; it is sent unchanged.`];
}

function blankAndControlWarnings(text: string, controls: RegExp): readonly string[] {
  return [
    ...(text.trim() === text ? [] : ["It begins or ends with a space."]),
    ...(controls.test(text) ? ["It contains control characters."] : []),
  ];
}

function enumerationWarnings(
  leaf: Extract<Leaf, { type: "enumeration" }>,
  value: string,
  sibling: Sibling,
): readonly string[] {
  const known = leaf.values.find((candidate) => candidate.value === value);
  if (known !== undefined) {
    if (fits(known, leaf, sibling)) return [];
    return [`Seen with ${known.with?.join(", ")}, not with ${sibling(leaf.by ?? "")}.`];
  }
  const values = leaf.values.map((known) => known.value);
  const suggestion = nearest(value, values);
  const hint = suggestion === null ? `Known: ${values.join(", ")}.` : `Did you mean ${suggestion}?`;
  return [`Unknown value, sent as typed. ${hint}`];
}
