import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import {
  replyToArguments,
  fileCommands,
  memberCommands,
  parseCommandLine,
  parseFileCommand,
  parseRotation,
  usage,
} from "./command-line.ts";

describe("parseCommandLine", () => {
  test("reads a command with its options", () => {
    expect(
      parseCommandLine([
        "create-key",
        "--email",
        "ana@example.org",
        "--scopes",
        "read, consume",
        "--name",
        "bot",
      ]),
    ).toMatchObject({
      command: "create-key",
      email: "ana@example.org",
      name: "bot",
      scopes: ["read", "consume"],
    });
  });

  test.each([
    [["create-account"], /needs --email/],
    [["create-account", "--mail", "x"], /Unknown option '--mail'/],
    [["create-account", "--email"], /argument missing/],
    [["create-account", "--email", "a@b", "stray"], /stray/],
  ])("refuses %j with the usage", (words, sentence) => {
    expect(() => parseCommandLine(words)).toThrow(sentence);
    expect(() => parseCommandLine(words)).toThrow(/Usage:/);
  });
});

describe("parseFileCommand", () => {
  test("reads a file name relative to the folder in which npm was called", () => {
    vi.stubEnv("INIT_CWD", path.resolve("/srv/keep"));
    expect(parseFileCommand(["restore", "a.zip", "--without-secrets"])).toEqual({
      command: "restore",
      file: path.resolve("/srv/keep/a.zip"),
      withoutSecrets: true,
    });
    expect(parseFileCommand(["backup", path.resolve("/b.zip")])).toMatchObject({
      file: path.resolve("/b.zip"),
      withoutSecrets: false,
    });
  });

  test("reads the former data of a restore as a folder or a URL", () => {
    vi.stubEnv("INIT_CWD", path.resolve("/srv/keep"));
    const kept = (place: string) =>
      parseFileCommand(["restore", "a.zip", "--keep-refusals", place]).keepRefusals;
    expect(kept("../old")).toBe(path.resolve("/srv/old"));
    expect(kept("postgresql://a:b@host/sluice")).toBe("postgresql://a:b@host/sluice");
    expect(parseFileCommand(["restore", "a.zip"]).keepRefusals).toBeUndefined();
  });

  test.each([
    [["backup"], /backup needs one file name/],
    [["verify", "a.zip", "b.zip"], /verify needs one file name/],
    [["backup", "a.zip", "--without-secrets"], /Unknown option '--without-secrets'/],
    [["verify", "a.zip", "--keep-refusals", "old"], /Unknown option '--keep-refusals'/],
    [["restore", "a.zip", "--keep-refusals"], /argument missing/],
  ])("refuses %j with the usage", (words, sentence) => {
    expect(() => parseFileCommand(words)).toThrow(sentence);
    expect(() => parseFileCommand(words)).toThrow(/Usage:/);
  });
});

test("parseRotation reads --discard and refuses anything else with the usage", () => {
  expect(parseRotation(["rotate-encryption-key"])).toEqual({ mayDiscard: false });
  expect(parseRotation(["rotate-encryption-key", "--discard"])).toEqual({ mayDiscard: true });
  expect(() => parseRotation(["rotate-encryption-key", "a.zip"])).toThrow(/a\.zip[^]*Usage:/);
});

test("the usage text lists every command", () => {
  for (const name of memberCommands) expect(usage).toMatch(new RegExp(`^  ${name} --email`, "m"));
  for (const name of fileCommands) expect(usage).toMatch(new RegExp(`^  ${name} FILE`, "m"));
  expect(usage).toMatch(/^ {2}rotate-encryption-key \[--discard\]$/m);
});

test("replyToArguments refuses arguments and names the ways to change settings", () => {
  expect(replyToArguments([])).toBeNull();
  expect(replyToArguments(["--help"])).toMatchObject({ isHelp: true });
  expect(replyToArguments(["--port", "8080"])).toEqual({
    sentence: expect.stringMatching(
      /^There is no option --port here\. Settings are variables, as in "PORT=8080 /,
    ) as string,
    isHelp: false,
  });
});
