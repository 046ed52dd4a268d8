import { describe, expect, test } from "vitest";
import { db } from "#lib/db.ts";
import { applicationCommands } from "#lib/runtime/cli/application/commands.ts";
import { commandNames } from "#lib/runtime/cli/commands.ts";
import { makeMember, makePending, makePost, makeStream, unique } from "#tests/setup/factories.ts";
import { sluice } from "./command-reply.ts";

test("every command that uses the application has its code", () => {
  const other = ["config", "version", "backup", "restore", "verify", "migrate", "rotate-encryption-key"];
  expect(Object.keys(applicationCommands).sort()).toEqual(
    commandNames.filter((name) => !other.includes(name)).sort(),
  );
});

describe("accounts", () => {
  const email = `ben${unique()}@example.org`;

  test("are created, listed, given a role, disabled and enabled", async () => {
    await makeMember();
    const created = await sluice("create-account", "--email", email, "--role", "viewer");
    expect(created.text).toMatch(/^Created the account .* \(viewer\)\.\nPassword: \S{20}$/);
    expect(
      (await sluice("set-role", "--email", email.toUpperCase(), "--role", "reviewer")).data,
    ).toMatchObject({
      role: "reviewer",
    });
    expect((await sluice("list-accounts")).text).toMatch(
      new RegExp(`${email} +\\S+ +reviewer +active +never`),
    );
    expect((await sluice("disable-account", "--email", email)).text).toContain("is disabled");
    await expect(sluice("reset-password", "--email", email)).rejects.toThrow("There is no active member");
    await sluice("enable-account", "--email", email);
    expect((await sluice("reset-password", "--email", email)).text).toMatch(
      /^One-time link, valid until .*: http/,
    );
  });

  test("an unknown address and an unknown role change nothing and are named", async () => {
    await expect(sluice("set-role", "--email", "nobody@example.org", "--role", "admin")).rejects.toThrow(
      "There is no member with the address nobody@example.org.",
    );
    await expect(sluice("set-role", "--email", email, "--role", "boss")).rejects.toThrow(/^--role must be/);
  });

  test("the last admin keeps the role", async () => {
    await db.member.updateMany({ where: { role: "admin" }, data: { role: "viewer" } });
    const { email } = await makeMember("admin");
    await expect(sluice("set-role", "--email", email, "--role", "viewer")).rejects.toThrow();
    await expect(sluice("disable-account", "--email", email)).rejects.toThrow();
  });
});

test("API keys are created with scopes, streams and an expiry, listed, rotated and revoked", async () => {
  const { email } = await makeMember();
  const stream = await makeStream();
  const options = ["--email", email, "--scopes", "read, consume", "--streams", String(stream.id)];
  const { data: key } = await sluice<{ id: number; api_key: string }>(
    "create-key",
    ...options,
    "--expires",
    "2099-01-01T00:00:00Z",
    "--name",
    "Boost bot",
  );
  expect(key).toMatchObject({ scopes: ["read", "consume"], stream_ids: [stream.id] });
  await expect(sluice("create-key", ...options, "--expires", "yesterday")).rejects.toThrow(/^--expires /);
  await expect(sluice("create-key", "--email", email, "--scopes", "reed")).rejects.toThrow(/^--scopes /);
  const id = String(key.id);
  expect((await sluice("list-keys", "--email", email)).text).toMatch(
    new RegExp(`^${id} +Boost bot +…\\S{4} +.* +read,consume +${stream.id} +2099`, "m"),
  );
  expect((await sluice("list-keys", "--email", (await makeMember()).email)).data).toEqual({ keys: [] });
  const { data: rotated } = await sluice<{ api_key: string }>("rotate-key", "--id", id);
  expect(rotated.api_key).not.toBe(key.api_key);
  expect((await sluice("revoke-key", "--id", id)).data).toMatchObject({ revoked: 1 });
  await expect(sluice("revoke-key", "--id", id)).rejects.toThrow();
  await expect(sluice("rotate-key", "--id", "1x")).rejects.toThrow("--id must be a whole number above 0.");
});

test("streams are added and listed", async () => {
  const tag = `tag${unique()}`;
  const added = await sluice("streams", "add", "--hashtag", tag, "--instance", "fedi.example");
  expect(added.text).toMatch(new RegExp(`^Added the stream \\d+: #${tag} on fedi\\.example\\.$`));
  await expect(sluice("streams", "add", "--hashtag", tag, "--instance", "10.0.0.1")).rejects.toThrow();
  expect((await sluice("streams", "list")).text).toMatch(
    new RegExp(`#${tag} +fedi\\.example +checking +never`),
  );
  await expect(sluice("streams", "fetch", "--id", "999999999")).rejects.toThrow();
});

test("status and the queue count posts, and a cleanup deletes what its dry run counts", async () => {
  await makePending();
  expect((await sluice("queue", "status")).text).toMatch(/^Queue: [1-9]\d* pending, 0 reserved/);
  const status = await sluice("status");
  expect(status.data).toMatchObject({ database: "ready", queue: { counts: { reserved: 0 } } });
  expect(status.isFailure).toBe(false);
  const old = new Date(Date.now() - 30 * 86_400_000);
  const { id } = await makePost({ approved: false, reviewed_at: old, fetched_at: old });
  await db.retention_setting.update({ where: { id: 1 }, data: { rejected_days: 7 } });
  const counted = await sluice<Record<string, number>>("cleanup", "--dry-run");
  expect(counted.data.rejected).toBeGreaterThanOrEqual(1);
  expect(await db.post.count({ where: { id } })).toBe(1);
  const sum = Object.values(counted.data).reduce((total, n) => total + n, 0);
  expect((await sluice("cleanup")).data).toEqual({ deleted: sum });
  expect(await db.post.count({ where: { id } })).toBe(0);
});
