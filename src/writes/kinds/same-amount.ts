/**
 * Returns true if two decimal texts are the same amount. The interface returns two places: an amount
 * that was sent with more is the same when it comes back rounded or cut to two.
 */
export function sameAmount(sent: string, returned: string): boolean {
  const [ours, theirs] = [unitsOf(sent), unitsOf(returned)];
  if (ours === null || theirs === null) return sent === returned;
  const places = Math.max(ours.places, theirs.places);
  const difference = scaled(ours, places) - scaled(theirs, places);
  if (difference === 0n) return true;
  if (ours.places <= 2 || theirs.places > 2) return false;
  const cent = 10n ** BigInt(places - 2);
  return -cent < difference && difference < cent;
}

interface Units {
  readonly units: bigint;
  readonly places: number;
}

/** More places, or a larger exponent, is no amount of money. */
const mostDigits = 400;

function unitsOf(text: string): Units | null {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null || text.length > mostDigits) return null;
  const [, sign, whole = "", rest = "", exponent = "0"] = match;
  const digits = BigInt(whole + rest) * (sign === "-" ? -1n : 1n);
  const places = rest.replace(/0+$/, "").length - Number(exponent);
  const cut = digits / 10n ** BigInt(rest.length - rest.replace(/0+$/, "").length);
  return places < 0 ? { units: cut * 10n ** BigInt(-places), places: 0 } : { units: cut, places };
}

function scaled({ units, places }: Units, to: number): bigint {
  return units * 10n ** BigInt(to - places);
}
