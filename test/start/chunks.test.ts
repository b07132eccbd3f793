import { asChunks, hashOf } from "../../scripts/chunks.ts";
import { type ChunkPlace, chunkLoader } from "../../src/start/chunks.ts";
import { noCompiledCode } from "../../src/start/compiled-code.ts";

/** A loader for ES modules that are turned into chunks as the build does it, and what it has read. */
async function loaderFor(modules: Readonly<Record<string, string>>) {
  const files = await asChunks(
    Object.entries(modules).map(([name, text]) => ({ path: `/built/chunks/${name}`, text })),
  );
  const texts = new Map(files.map(({ path, text }) => [path.slice("/built/chunks/".length), text]));
  const read: string[] = [];
  const place: ChunkPlace = {
    pathOf: (name) => `/program/chunks/${name}`,
    urlOf: (name) => `file:///program/chunks/${name}`,
    read(name) {
      read.push(name);
      const text = texts.get(name);
      if (text === undefined) throw new Error(`there is no ${name}`);
      return text;
    },
  };
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what its chunks export.
  const load = chunkLoader(place, noCompiledCode) as (name: string) => any;
  return { load, read, texts };
}

test("a chunk imports others and Node, and each is run once", async () => {
  const { load, read } = await loaderFor({
    "one.js": `import{two,count}from"./two.js";import{basename}from"node:path";export{one};let one=()=>basename("/a/"+two)+count();`,
    "two.js": `export{two,count};const two="b";let times=0;function count(){return++times}`,
  });
  expect(load("./one.js").one()).toBe("b1");
  expect(load("./one.js").one()).toBe("b2");
  expect(load("./two.js").count()).toBe(3);
  expect(read).toEqual(["one.js", "two.js"]);
});

test("what a chunk exports is what it is at the moment", async () => {
  const { load } = await loaderFor({
    "one.js": `import{now,next}from"./two.js";export const both=()=>{const before=now;next();return[before,now]};`,
    "two.js": `export let now=1;export function next(){now+=1}`,
  });
  expect(load("./one.js").both()).toEqual([1, 2]);
});

test("chunks in a circle find each other", async () => {
  const { load } = await loaderFor({
    "one.js": `import{two}from"./two.js";export function one(){return"one"}export const both=()=>one()+two();`,
    "two.js": `import{one}from"./one.js";export function two(){return one()+"two"}`,
  });
  expect(load("./one.js").both()).toBe("oneonetwo");
});

test("import() loads a chunk or a module of Node when it is called", async () => {
  const { load, read } = await loaderFor({
    "one.js": `export const two=async()=>(await import("./two.js")).two,path=async()=>(await import("node:path")).basename("/a/b");`,
    "two.js": `export const two=2;`,
  });
  const { two, path } = load("./one.js");
  expect(read).toEqual(["one.js"]);
  expect(await two()).toBe(2);
  expect(await path()).toBe("b");
  expect(read).toEqual(["one.js", "two.js"]);
});

test("a require() that is made of a module's URL takes chunks and modules of Node", async () => {
  const { load } = await loaderFor({
    "one.js": `import{createRequire as createRequire2}from"node:module";export const word=()=>createRequire2(import.meta.url)("pack").word,path=()=>createRequire2(import.meta.url)("node:path").sep;`,
    "pack-ABCDEFGH.js": `export const word="packed";`,
  });
  expect(load("./one.js").word()).toBe("packed");
  expect(load("./one.js").path()).toBe("/");
  await expect(
    loaderFor({ "one.js": `export const word=createRequire(import.meta.url)("absent");` }),
  ).rejects.toThrow("absent has no chunk");
});

test("a chunk knows its URL, and is strict as a module is", async () => {
  const { load } = await loaderFor({
    "one.js": `export const url=import.meta.url,self=function(){return this}();`,
  });
  expect(load("./one.js")).toMatchObject({
    url: "file:///program/chunks/one.js",
    self: undefined,
  });
});

test("a chunk that fails can be loaded again, and names its file and position", async () => {
  const { load } = await loaderFor({
    "one.js": `import"./two.js";export const one=1;`,
    "two.js": `export const two=2;\nglobalThis.failsOnce?.();`,
  });
  const failing = globalThis as { failsOnce?: (() => void) | undefined };
  failing.failsOnce = () => {
    throw new Error("not now");
  };
  try {
    load("./one.js");
    expect.unreachable();
  } catch (error) {
    expect(String((error as Error).stack)).toMatch(/\/program\/chunks\/two\.js:\d+:\d+/);
  }
  failing.failsOnce = undefined;
  expect(load("./one.js").one).toBe(1);
});

test("a chunk is ASCII and means the same", async () => {
  const { load, texts } = await loaderFor({
    "one.js": `export const signs="…–",found=/[…≥]/.test("≥"),wide=/^😀$/u.test("😀");`,
  });
  expect(texts.get("one.js")).toMatch(/^[\0-\x7f]*$/);
  expect(load("./one.js")).toMatchObject({ signs: "…–", found: true, wide: true });
});

test("other texts of the same length have another name", () => {
  const hash = (text: string) => hashOf([{ path: "/built/one.js", text }]);
  expect(hash("a+b")).not.toBe(hash("a-b"));
  expect(hash("a+b")).toBe(hash("a+b"));
});
