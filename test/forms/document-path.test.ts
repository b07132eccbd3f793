import { expect, test } from "vitest";
import { documentPathProblem } from "../../src/forms/document-path.ts";

test.each([
  "letters/2026/welcome.pdf",
  "a..b/..c/d..",
  "100%.pdf",
  "50%25 off.pdf",
  "Müller & Söhne (1).pdf",
  "./a.pdf",
  "a//b.pdf",
  "...",
  "日本語/請求書.pdf",
  "caf%C3%A9.pdf",
  "latin%e9.pdf",
])("%s is a path below the root", (path) => {
  expect(documentPathProblem(path)).toBeNull();
});

test.each([
  ["", /path of a document/],
  ["  ", /path of a document/],
  ["..", /no \.\. in it/],
  ["../a.pdf", /no \.\. in it/],
  ["a/../b.pdf", /no \.\. in it/],
  ["a/..", /no \.\. in it/],
  ["a\\..\\b.pdf", /no \.\. in it/],
  ["a/.. /b.pdf", /no \.\. in it/],
  ["a/..;x/b.pdf", /no \.\. in it/],
  ["%2e%2e/a.pdf", /no \.\. in it/],
  [".%2E/a.pdf", /no \.\. in it/],
  ["a%2f..%2fb.pdf", /no \.\. in it/],
  ["a%5c..%5cb.pdf", /no \.\. in it/],
  ["%252e%252e/a.pdf", /no \.\. in it/],
  ["%25252e%25252e/a.pdf", /no \.\. in it/],
  ["%c0%ae%c0%ae/a.pdf", /no \.\. in it/],
  ["%e0%80%ae%e0%80%ae/a.pdf", /no \.\. in it/],
  ["a%c0%af..%c0%afb.pdf", /no \.\. in it/],
  ["a%c1%9c..%c1%9cb.pdf", /no \.\. in it/],
  ["%u002e%u002e/a.pdf", /no \.\. in it/],
  ["．．/a.pdf", /no \.\. in it/],
  ["․․／a.pdf", /no \.\. in it/],
  ["/etc/a.pdf", /no slash/],
  ["\\\\host\\a.pdf", /no slash/],
  ["%2fetc/a.pdf", /no slash/],
  [" /a.pdf", /no slash/],
  ["https://example.org/a.pdf", /no scheme/],
  ["s3:bucket/a.pdf", /no scheme/],
  ["file%3a///a.pdf", /no scheme/],
  ["C:\\a.pdf", /no scheme/],
  ["a\u0000.pdf", /control/],
  ["a%00.pdf", /control/],
  ["a\n.pdf", /control/],
  ["a%0d%0a.pdf", /control/],
  ["a\u0085.pdf", /control/],
  ["a\ud800.pdf", /well-formed/],
  [`%${"25".repeat(20)}2e`, /too many times/],
])("%j is refused", (path, message) => {
  expect(documentPathProblem(path)).toMatch(message);
});
