/** Formats numbers for people: counts, shares and sizes. */

/** Formats a whole number with thousands separators, the same in every locale: `1,234,567`. */
export function count(n: number): string {
  if (!Number.isFinite(n)) return "?";
  const digits = Math.trunc(Math.abs(n)).toFixed(0);
  const grouped = digits.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return n <= -1 ? `-${grouped}` : grouped;
}

/**
 * Formats a share as `42.0 %`, or as `-` if `whole` is 0. Only a part that equals `whole` is
 * `100.0 %`, and only a part of 0 is `0.0 %`.
 */
export function percent(part: number, whole: number): string {
  if (!Number.isFinite(part) || !Number.isFinite(whole) || whole === 0) return "-";
  const text = ((part / whole) * 100).toFixed(1);
  if (text === "100.0" && part < whole) return ">99.9 %";
  if (text === "100.0" && part > whole) return ">100.0 %";
  if ((text === "0.0" || text === "-0.0") && part !== 0) return "<0.1 %";
  return `${text} %`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

const UNITS = ["kB", "MB", "GB", "TB", "PB"] as const;

/** Formats a size in decimal units: `512 B`, `1.5 kB`, `42.0 MB`. */
export function bytes(n: number): string {
  if (!Number.isFinite(n)) return "?";
  if (Math.abs(n) < 1000) return `${Math.trunc(n)} B`;
  let size = n;
  let name = "B";
  for (const unit of UNITS) {
    // 999.95 would print as 1000.0.
    if (Math.abs(size) < 999.95) break;
    size /= 1000;
    name = unit;
  }
  return `${size.toFixed(1)} ${name}`;
}
