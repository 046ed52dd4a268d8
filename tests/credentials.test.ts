import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { noteCredentials, noteSettings, scanFolder } from "./setup/credentials.ts";

/* The search of `tests/run.ts` for credentials in the output of a run. */

let folder: string;
let logs: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-credentials-"));
  logs = path.join(folder, "logs");
  file = path.join(folder, "credentials");
  mkdirSync(logs);
  vi.stubEnv("TEST_CREDENTIALS_FILE", file);
});

afterEach(() => rmSync(folder, { recursive: true }));

function scan(text: string) {
  writeFileSync(path.join(logs, "server.log"), text);
  return scanFolder(logs, file).found;
}

describe("the search for credentials", () => {
  // In parts, because the run searches this file's output, too.
  const looks: [string, string][] = [
    ["an API key", `{"key":"slc_${"k".repeat(43)}"}`],
    [
      "the password of a database",
      `connect postgresql://sluice:${"p".repeat(24)}@127.0.0.1:5432/sluice failed`,
    ],
    ["a session", `{"cookie":"__Secure-next-auth.session-token=${"s".repeat(43)}"}`],
    ["a bearer token", `authorization: Bearer ${"t".repeat(20)}`],
    ["an encrypted password", `hash=${"$argon2"}id$v=19$m=19456`],
  ];

  test.each(looks)("finds %s by its look", (kind, line) => {
    expect(scan(`first line\n${line}\n`)).toEqual([{ place: "server.log:2", kind }]);
  });

  test("finds what a test has noted, anywhere in a line, and does not show it", () => {
    const password = `a noted password ${Math.random()}`;
    noteCredentials(password, undefined, "short");
    const secret = `secret${Math.random()}`;
    noteSettings({ AUTH_SECRET: secret, DATABASE_URL: `postgresql://u:${secret}x@host/db` }, [
      "AUTH_SECRET",
      "DATABASE_URL",
      "ENCRYPTION_KEY",
    ]);
    expect(readFileSync(file, "utf8").split("\n")).toEqual([password, secret, `${secret}x`, ""]);
    const found = scan(`{"msg":"signed in","with":"${password}"}\nshort\nkey=${secret}\n`);
    expect(found).toEqual([
      { place: "server.log:1", kind: "a noted value" },
      { place: "server.log:3", kind: "a noted value" },
    ]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test("finds nothing in ordinary lines", () => {
    noteCredentials("correct horse battery staple");
    const lines = [
      '{"level":"info","app":"sluice","key_id":7,"msg":"request"}',
      "DATABASE_URL must begin with postgresql://user:password@host/sluice",
      "slc_ is the beginning of every key",
      "correct horse",
    ];
    expect(scan(lines.join("\n"))).toEqual([]);
  });

  test("notes nothing outside a run", () => {
    vi.stubEnv("TEST_CREDENTIALS_FILE", undefined);
    noteCredentials("another password of a test");
    expect(scan("another password of a test")).toEqual([]);
  });
});
