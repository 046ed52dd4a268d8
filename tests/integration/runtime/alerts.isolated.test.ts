import { beforeEach, describe, expect, test, vi } from "vitest";
import { backupStatus } from "#lib/base/backup-status.ts";
import { db } from "#lib/base/db.ts";
import { readAlerts, watchAlerts } from "#lib/stats/alerts.ts";
import { makeBotKey, makeStream } from "#tests/setup/factories.ts";

// A full disk of the test machine would be one more alert.
vi.mock("#lib/base/disk-space.ts", async (original) => ({
  ...(await original<object>()),
  diskSpace: () => disk,
}));
const disk = { free: 50e9, size: 100e9 };

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
/** Ids of alerts, in the order in which they were told. */
const messages: { event: "started" | "ended"; id: number }[] = [];
const check = () =>
  watchAlerts((_, { started, ended }) => {
    messages.push(...started.map((id) => ({ event: "started" as const, id })));
    messages.push(...ended.map((id) => ({ event: "ended" as const, id })));
    return Promise.resolve();
  });

beforeEach(async () => {
  await db.alert.deleteMany();
  await db.stream.deleteMany();
  await db.api_key.updateMany({
    where: { last_asked_at: { not: null } },
    data: { last_asked_at: new Date() },
  });
  await db.installation.updateMany({ data: { alerts_from: ago(1), alerts_checked_at: new Date() } });
  await writeBackup(new Date());
  messages.length = 0;
});

function writeBackup(success: Date | null, failure: Date | null = null) {
  const at = (date: Date) => date.toISOString();
  return backupStatus.set({
    looked_at: at(new Date()),
    success: success && { at: at(success), bytes: 1 },
    failure: failure && { at: at(failure), reason: "a secret path" },
  });
}

const silentStream = () => makeStream({ last_fetch: ago(25), last_error: "timeout" });

async function told(): Promise<string[]> {
  const alerts = await db.alert.findMany();
  return messages.flatMap(({ event, id }) =>
    alerts.filter((alert) => alert.id === id).map(({ rule }) => `${event} ${rule}`),
  );
}

/** As if the condition had not held for so long. */
const clearFor = (minutes: number) =>
  db.$executeRaw`UPDATE alert SET clear_since = now() - ${minutes}::int * interval '1 minute' WHERE clear_since IS NOT NULL`;

describe("a started alert", () => {
  test("is told once, also by several instances at the same time and after a restart", async () => {
    await silentStream();
    await Promise.all([check(), check(), check()]);
    await check();
    expect(await told()).toEqual(["started stream.silent"]);
    expect(await db.alert.count()).toBe(1);
  });

  test("has a sentence, a page and no details of the failure", async () => {
    await writeBackup(null, new Date());
    await check();
    const alerts = await readAlerts();
    expect(JSON.stringify(alerts)).not.toContain("secret");
    expect(alerts).toMatchObject([{ title: "The nightly backup failed", path: "/settings/installation" }]);
  });

  test("is not told again while its condition comes and goes within an hour", async () => {
    const { id } = await silentStream();
    await check();
    for (let n = 0; n < 3; n++) {
      await db.stream.update({ where: { id }, data: { last_fetch: new Date() } });
      await check();
      await clearFor(59);
      await check();
      await db.stream.update({ where: { id }, data: { last_fetch: ago(25) } });
      await check();
    }
    expect(await told()).toEqual(["started stream.silent"]);
  });

  test("ends an hour after its condition, and the next failure is a new alert", async () => {
    await writeBackup(ago(24), ago(1));
    await check();
    await writeBackup(new Date(), ago(1));
    await check();
    await clearFor(61);
    await check();
    await writeBackup(ago(1), new Date());
    await check();
    expect(await told()).toEqual(["started backup.failed", "ended backup.failed", "started backup.failed"]);
  });
});

describe("no alert starts", () => {
  const names = async () => (await db.alert.findMany()).map(({ rule }) => rule);

  test("in the first ten minutes of an installation, on Home neither", async () => {
    await silentStream();
    await db.installation.updateMany({ data: { alerts_from: new Date(Date.now() + 60_000) } });
    await check();
    expect([await names(), await readAlerts()]).toEqual([[], []]);
  });

  test("in the first ten minutes after a pause or a restore, but open ones stay open and are not told again", async () => {
    await silentStream();
    await check();
    await db.installation.updateMany({ data: { alerts_checked_at: ago(30) } });
    await silentStream();
    await check();
    await check();
    expect(await told()).toEqual(["started stream.silent"]);
    await db.installation.updateMany({ data: { alerts_from: ago(0) } });
    await check();
    expect(await names()).toEqual(["stream.silent", "stream.silent"]);
  });

  test("for paused and resumed streams, and for streams without a schedule or a failure", async () => {
    await makeStream({ last_fetch: ago(99), last_error: "timeout", active: false });
    await makeStream({ last_fetch: ago(99), next_scheduled_fetch: new Date() });
    await makeStream({ last_fetch: ago(99), enable_scheduling: false });
    await makeStream({ last_fetch: ago(23), last_error: "timeout" });
    await check();
    expect(await names()).toEqual([]);
    await makeStream({ last_fetch: ago(99), next_scheduled_fetch: ago(1) });
    await check();
    expect(await names()).toEqual(["stream.silent"]);
  });
});

describe("key.silent", () => {
  test("is told once, with the page of the key", async () => {
    const [silent] = [await makeBotKey(ago(49)), await makeBotKey(ago(1))];
    await check();
    expect(await told()).toEqual(["started key.silent"]);
    expect((await readAlerts()).map(({ path }) => path)).toEqual([`/settings/keys#key-${silent}`]);
  });
});

test("more than ten failed deliveries within an hour are an alert", async () => {
  const fail = (n: number) =>
    db.$executeRaw`INSERT INTO post_event (post_id, actor, source, action, at)
      SELECT i, 'Bot', 'api', 'error', now() - interval '59 minutes' FROM generate_series(1, ${n}::int) i`;
  await fail(10);
  await check();
  expect(await db.alert.count()).toBe(0);
  await fail(1);
  await check();
  expect(await db.alert.findMany({ select: { rule: true } })).toEqual([{ rule: "errors.jump" }]);
  await db.post_event.deleteMany({ where: { action: "error" } });
});

test("a full disk and an old backup are alerts", async () => {
  disk.free = 4e9;
  await writeBackup(ago(49));
  await check();
  expect(await told()).toEqual(["started backup.failed", "started disk.full"]);
  disk.free = 50e9;
});
