import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readPassword } from "./read-password.ts";

function type(text: string, isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  input.end(text);
  return { password: readPassword(input, output), shown: () => String(output.read() ?? "") };
}

test("the first line of standard input is the password", async () => {
  const { password, shown } = type("correct horse \nsecond line\n", false);
  expect(await password).toBe("correct horse ");
  expect(shown()).toBe("");
});

test("a terminal is asked, and what is typed is not shown", async () => {
  const { password, shown } = type("correct horse\r", true);
  expect(await password).toBe("correct horse");
  expect(shown()).toBe("Password (empty: one is generated): \n");
});
