import { takeNodeParts } from "../../scripts/node-parts.ts";

const taken = (name: string) => `globalThis.process.getBuiltinModule("${name}")`;

test.each([
  [`import fs from"node:fs";`, `const fs=${taken("node:fs")};`],
  [`import*as os from"os";`, `const os=${taken("os")};`],
  [`import{join}from"node:path";`, `const {join}=${taken("node:path")};`],
  [`import{join as a,sep}from"node:path";`, `const {join:a,sep}=${taken("node:path")};`],
  [
    `import os,{EOL}from"node:os";`,
    `const os=${taken("node:os")};const {EOL}=${taken("node:os")};`,
  ],
  [
    `import{createHash as a,X509Certificate}from"node:crypto";`,
    `const {X509Certificate}=${taken("node:crypto")};const a=(...given)=>${taken("node:crypto")}.createHash(...given);`,
  ],
  [
    `import{constants,open}from"node:fs/promises";`,
    `const {constants}=${taken("node:fs/promises")};const open=(...given)=>${taken("node:fs/promises")}.open(...given);`,
  ],
])("%s is taken without an import", (before, after) => {
  expect(takeNodeParts(`let a=1;${before}b();`)).toBe(`let a=1;${after}b();`);
});

test.each([
  `import{a}from"./chunk-1.js";`,
  `import React from"react";`,
  `let sqlite=await import("node:sqlite");`,
  `export{a as b};`,
])("%s stays", (text) => {
  expect(takeNodeParts(text)).toBe(text);
});
