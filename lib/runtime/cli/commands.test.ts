import path from "node:path";
import { expect, test, vi } from "vitest";
import { parseCommandLine } from "./commands.ts";

test("parseCommandLine reads commands, options, flags and a file", () => {
  vi.stubEnv("INIT_CWD", path.resolve("/srv/keep"));
  expect(parseCommandLine(["create-key", "--email", "ana@example.org", "--scopes", "read"])).toMatchObject({
    name: "create-key",
    values: { email: "ana@example.org", scopes: "read" },
  });
  expect(parseCommandLine(["import-fenliu", "a.db", "--dry-run"])).toMatchObject({
    file: path.resolve("/srv/keep/a.db"),
    values: { "dry-run": "true" },
  });
});

test.each([[[]], [["help"]], [["backup", "--help"]], [["-h"]]])("%j asks for the usage", (args) => {
  expect(parseCommandLine(args)).toBeNull();
});

test.each([
  [["create-accout"], /^There is no command create-accout\./],
  [["constructor"], /^There is no command constructor\./],
  [["create-account"], /needs --email/],
  [["create-account", "--mail", "x"], /Unknown option '--mail'/],
  [["create-account", "--email"], /argument missing/],
  [["create-account", "--email", "a@b", "stray"], /stray/],
  [["backup"], /backup needs one file name/],
  [["verify", "a.zip", "b.zip"], /verify needs one file name/],
  [["backup", "a.zip", "--force"], /Unknown option '--force'/],
  [["create-key", "--email", "a@b"], /needs --scopes/],
  [["create-account", "--email", "a@b", "--role", "boss"], /--role must be one of admin, reviewer/],
  // Other users of the machine would see it.
  [["create-account", "--email", "a@b", "--password", "x"], /Unknown option '--password'/],
  [["migrate", "now"], /now/],
])("%j is refused with the usage", (args, sentence) => {
  expect(() => parseCommandLine(args)).toThrow(sentence);
  expect(() => parseCommandLine(args)).toThrow(/Usage:/);
});
