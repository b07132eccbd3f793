import { spawnSync } from "node:child_process";

/** The statements of a shell text, each as long as the shell itself takes it to be. */
export function statementsOf(text: string): readonly string[] {
  const found: string[] = [];
  let open: string[] = [];
  for (const line of text.split("\n")) {
    if (open.length === 0 && /^\s*(#.*)?$/.test(line)) continue;
    open.push(line);
    if (isWhole(open.join("\n"))) {
      found.push(open.join("\n"));
      open = [];
    }
  }
  if (open.length > 0) throw new Error(`the shell waits for more after\n${open.join("\n")}`);
  return found;
}

function isWhole(text: string): boolean {
  if (text.endsWith("\\")) return false;
  const { status, stderr } = spawnSync("bash", ["-n", "-c", text], { encoding: "utf8" });
  // Of a here-document without its end bash only warns.
  return status === 0 && stderr === "";
}
