import { expect, test } from "vitest";
import { replyToArguments } from "./start-arguments.ts";

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
