import path from "node:path";
import { expect, test, vi } from "vitest";
import { parseEnv, secretNames } from "#lib/env.ts";
import { commandNames, parseCommandLine, usage } from "./commands.ts";
import { describeInstallation } from "./describe-installation.ts";

test("parseCommandLine reads commands of one and two words, options, flags and a file", () => {
  vi.stubEnv("INIT_CWD", path.resolve("/srv/keep"));
  expect(parseCommandLine(["create-key", "--email", "ana@example.org", "--scopes", "read"])).toMatchObject({
    name: "create-key",
    values: { email: "ana@example.org", scopes: "read" },
    json: false,
  });
  expect(parseCommandLine(["streams", "add", "--hashtag", "cats", "--json"])).toMatchObject({
    name: "streams add",
    values: { hashtag: "cats" },
    json: true,
  });
  expect(parseCommandLine(["restore", "a.zip", "--without-secrets", "--keep-refusals", "old"])).toMatchObject(
    {
      runs: "file",
      file: path.resolve("/srv/keep/a.zip"),
      values: { "keep-refusals": "old" },
      flags: new Set(["without-secrets"]),
    },
  );
});

test.each([[[]], [["help"]], [["backup", "--help"]], [["-h"]]])("%j asks for the usage", (args) => {
  expect(parseCommandLine(args)).toBeNull();
});

test.each([
  [["create-accout"], /^There is no command create-accout\./],
  [["streams", "delete"], /^There is no command streams\./],
  [["constructor"], /^There is no command constructor\./],
  [["create-account"], /needs --email/],
  [["set-role", "--email", "a@b"], /needs --role/],
  [["create-account", "--mail", "x"], /Unknown option '--mail'/],
  [["create-account", "--email"], /argument missing/],
  [["create-account", "--email", "a@b", "stray"], /stray/],
  [["backup"], /backup needs one file name/],
  [["verify", "a.zip", "b.zip"], /verify needs one file name/],
  [["backup", "a.zip", "--without-secrets"], /Unknown option '--without-secrets'/],
  [["create-key", "--email", "a@b"], /needs --scopes/],
  [["export", "streams", "a.csv", "--format", "pdf"], /--format must be one of csv, opml/],
  [["restore", "a.zip", "--keep-refusals"], /argument missing/],
  [["migrate", "now"], /now/],
  [["rotate-encryption-key", "a.zip"], /a\.zip/],
])("%j is refused with the usage", (args, sentence) => {
  expect(() => parseCommandLine(args)).toThrow(sentence);
  expect(() => parseCommandLine(args)).toThrow(/Usage:/);
});

test("the usage lists every command with its options", () => {
  for (const name of commandNames) expect(usage).toMatch(new RegExp(`^  ${name}( |$)`, "m"));
  expect(usage).toContain("  create-account --email ADDRESS [--name NAME] [--role admin|reviewer|viewer]");
  expect(usage).toContain("  restore FILE [--keep-refusals FOLDER] [--without-secrets]\n");
});

test("config shows every setting, and no secret", () => {
  const database = "postgresql://owner:hunter2hunter2@db.example/sluice";
  const secrets = Object.fromEntries(secretNames.map((name) => [name, "hunter2hunter2".repeat(3)]));
  const settings = parseEnv({
    ...secrets,
    DATABASE_URL: database,
    DIRECT_URL: database,
    ADMIN_EMAIL: "ana@example.org",
    GITHUB_ID: "a",
    OIDC_ISSUER: "https://id.example",
    OIDC_CLIENT_ID: "b",
    PUBLIC_URL: "https://desk.example",
    SMTP_URL: "smtp://ana:hunter2hunter2@mail.example",
    SMTP_FROM: "sluice@desk.example",
    TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8",
  });
  for (const json of [true, false]) {
    const line = {
      name: "config",
      runs: "alone",
      values: {},
      flags: new Set<string>(),
      file: "",
      json,
    } as const;
    const text = describeInstallation(line, settings);
    expect(text).not.toContain("hunter2");
    expect(text).toContain("127.0.0.1,10.0.0.0/8");
    expect(text.match(/\(set, not shown\)/g)).toHaveLength(secretNames.length);
  }
});
