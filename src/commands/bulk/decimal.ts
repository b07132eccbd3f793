import { ExactSum } from "../../forms/exact-sum.ts";

/** Decimal text as people type it, thousands set apart or not; null for what is no number. */
export function decimalOf(typed: string): string | null {
  const text = typed.trim();
  if (!/^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(text)) return null;
  return text.replaceAll(",", "").replace(/^\+/, "");
}

/** Whether two decimal texts say the same number: `12.5` and `12.50` do. */
export function sameDecimal(one: string, other: string): boolean {
  const difference = new ExactSum();
  difference.add(one);
  difference.add(other.startsWith("-") ? other.slice(1) : `-${other}`);
  return /^0(?:\.0+)?$/.test(difference.text());
}
