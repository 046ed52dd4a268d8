import { describe, expect, test } from "vitest";
import { answerToWords, commandNames, parseCommandLine, usage } from "./command-line.ts";

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

test("the usage text lists every command", () => {
  for (const name of commandNames) expect(usage).toMatch(new RegExp(`^  ${name} --email`, "m"));
});

test("answerToWords refuses arguments and names the ways to change settings", () => {
  expect(answerToWords([])).toBeNull();
  expect(answerToWords(["--help"])).toMatchObject({ isHelp: true });
  expect(answerToWords(["--port", "8080"])).toEqual({
    sentence: expect.stringMatching(
      /^There is no option --port here\. Settings are variables, as in "PORT=8080 /,
    ) as string,
    isHelp: false,
  });
});
