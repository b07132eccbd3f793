/** Looking for secrets in the journal's own files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The beginning of every token of the sandbox: the header of a JWT signed with HS256. */
const tokenBeginning = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString(
  "base64url",
);

/** Returns the files of a folder that contain the key or a token. */
export function secretsIn(folder: string, apiKey: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile())
    .flatMap(({ name }) => {
      const bytes = readFileSync(join(folder, name));
      return [
        ...(bytes.includes(apiKey) ? [`the API key is in ${name}`] : []),
        ...(bytes.includes(tokenBeginning) ? [`a token is in ${name}`] : []),
      ];
    });
}
