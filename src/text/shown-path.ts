/** Shortens paths for lines with little room. */
import { relative } from "node:path";

export function shownPath(path: string): string {
  const relativePath = relative("", path);
  return relativePath === "" || relativePath.startsWith("..") ? path : relativePath;
}
