import { expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { makeMember, makePending, makeStream, unique } from "#tests/setup/factories.ts";
import { sluice } from "./command-reply.ts";

test("an account is created with a password, generated without input, and gets a link for a new one", async () => {
  await makeMember();
  const email = `ben${unique()}@example.org`;
  const created = await sluice("create-account", "--email", email, "--role", "viewer");
  expect(created).toMatch(/^Created the account .* \(viewer\)\.\nPassword: \S{20}$/);
  expect(await sluice("reset-password", "--email", email.toUpperCase())).toMatch(
    /^One-time link, valid until .*: http/,
  );
  await db.member.updateMany({ where: { email }, data: { disabled_at: new Date() } });
  await expect(sluice("reset-password", "--email", email)).rejects.toThrow("There is no active member");
});

test("an API key is created with scopes, streams and an expiry", async () => {
  const { email } = await makeMember();
  const stream = await makeStream();
  const options = ["--email", email, "--scopes", "read, consume", "--streams", String(stream.id)];
  const name = `Boost bot ${stream.id}`;
  expect(await sluice("create-key", ...options, "--expires", "2099-01-01T00:00:00Z", "--name", name)).toMatch(
    /^API key "Boost bot \d+" \(read, consume\), shown only once: slc_/,
  );
  expect(await db.api_key.findFirst({ where: { name } })).toMatchObject({
    scopes: ["read", "consume"],
    stream_ids: [stream.id],
    expires_at: new Date("2099-01-01T00:00:00Z"),
  });
  await expect(sluice("create-key", ...options, "--expires", "yesterday")).rejects.toThrow(/^--expires /);
  await expect(sluice("create-key", "--email", email, "--scopes", "reed")).rejects.toThrow(/^--scopes /);
});

test("status shows database, streams and queue", async () => {
  await makePending();
  const status = await sluice("status");
  expect(status).toMatch(/^Database: ready$/m);
  expect(status).toMatch(/^Queue: [1-9]\d* pending, 0 reserved/m);
});
