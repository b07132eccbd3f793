/** Shortens paths for lines with little room. */
import { relative } from "node:path";

/** Returns a path relative to the working folder if that contains it. */
export function shownPath(path: string): string {
  const relativePath = relative("", path);
  return relativePath === "" || relativePath.startsWith("..") ? path : relativePath;
}
