import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readBackupStatus } from "#lib/base/backup-status.ts";
import { verifyBackup } from "#lib/runtime/backup/backup.ts";
import { isNightlyDue, makeNightlyBackup, nameAt } from "#lib/runtime/backup/nightly.ts";
import { scheduleBackups } from "#lib/runtime/supervisor/schedule-backups.ts";
import { makeFolder, SECRETS } from "./backup-database.ts";

// Nightly backups run at the lowest priority.
vi.setConfig({ testTimeout: 120_000 });

const url = () => process.env.DATABASE_URL ?? "";
const at = (time: string) => new Date(time);

test("a backup is due once a night, at three o'clock of the time zone", async () => {
  const folder = makeFolder();
  const isDue = (time: string) => isNightlyDue(folder, "Europe/Berlin", at(time));
  expect(await isNightlyDue(path.join(folder, "missing"), "UTC", new Date())).toBe(true);
  expect(await isDue("2026-11-20T12:00:00Z")).toBe(true);
  // 03:00 in Berlin.
  writeFileSync(path.join(folder, nameAt(at("2026-11-20T02:00:00Z"))), "");
  expect(await isDue("2026-11-20T02:10:00Z")).toBe(false);
  expect(await isDue("2026-11-21T01:59:00Z")).toBe(false);
  expect(await isDue("2026-11-21T02:00:00Z")).toBe(true);
  // After three missed nights, and not again in the same night.
  expect(await isDue("2026-11-24T15:00:00Z")).toBe(true);
  writeFileSync(path.join(folder, nameAt(at("2026-11-24T15:00:00Z"))), "");
  expect(await isDue("2026-11-25T01:59:00Z")).toBe(false);
  expect(await isDue("2026-11-25T02:00:00Z")).toBe(true);
});

test("a backup dated in the future is no backup of the night, and stays", async () => {
  const folder = makeFolder();
  const wrong = nameAt(at("2036-01-01T03:00:00Z"));
  const old = nameAt(at("2026-11-19T03:00:00Z"));
  for (const name of [wrong, old]) writeFileSync(path.join(folder, name), "x");
  const now = at("2026-11-20T03:00:05Z");
  expect(await isNightlyDue(folder, "UTC", now)).toBe(true);
  const { file } = await makeNightlyBackup({ url: url(), folder, keep: 1, now });
  expect(readdirSync(folder).sort()).toEqual([path.basename(file), wrong]);
  // Clocks of two machines may differ by an hour.
  expect(await isNightlyDue(folder, "UTC", at("2026-11-20T02:05:00Z"))).toBe(false);
});

test("the newest backups are kept, and files with other names are left alone", async () => {
  const folder = makeFolder();
  const old = ["2026-11-17", "2026-11-18", "2026-11-19"].map((day) => nameAt(at(`${day}T03:00:00Z`)));
  const others = ["by-hand.zip", "sluice-20261101T030000Z.zip.copy", "notes.txt"];
  for (const name of [...old, ...others]) writeFileSync(path.join(folder, name), "x");
  const abandoned = path.join(folder, `${old[0]}.0a0a0a0a.partial`);
  writeFileSync(abandoned, "half");
  utimesSync(abandoned, new Date(), new Date(Date.now() - 2 * 3_600_000));
  const now = at("2026-11-20T03:00:05.123Z");
  const { file } = await makeNightlyBackup({ url: url(), folder, keep: 3, now });
  expect(path.basename(file)).toBe("sluice-20261120T030005Z.zip");
  expect(readdirSync(folder).sort()).toEqual([...old.slice(1), ...others, path.basename(file)].sort());
  await verifyBackup(file);
});

test("a missed backup is made soon after the start, in a process of its own", async () => {
  const folder = makeFolder();
  const settings = { BACKUP_DIR: folder, DATA_DIR: makeFolder() };
  const environment = { ...process.env, ...SECRETS, ...settings };
  const schedule = scheduleBackups(environment, "UTC");
  onTestFinished(schedule.stop);
  const archives = () => readdirSync(folder).filter((name) => name.endsWith(".zip"));
  await expect.poll(archives, { timeout: 100_000 }).toHaveLength(1);
  await verifyBackup(path.join(folder, archives()[0] ?? ""));
});

test("a full disk leaves the former archives, no partial file and one line in the log", async () => {
  const folder = makeFolder();
  const old = nameAt(at("2026-11-17T03:00:00Z"));
  writeFileSync(path.join(folder, old), "x");
  // Like a full disk, a limit of 4 KiB makes a write fail half-way.
  const child = spawn(
    "sh",
    ["-c", 'ulimit -f 8; exec "$0" --disable-warning=ExperimentalWarning "$1"', process.execPath].concat(
      path.resolve("lib/runtime/supervisor/nightly-backup.ts"),
    ),
    {
      env: { ...process.env, ...SECRETS, BACKUP_DIR: folder, BACKUP_KEEP: "1", LOG_LEVEL: "info" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([await ended, complaints, readdirSync(folder)]).toEqual([1, "", [old]]);
  const lines = output.trim().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    msg: "nightly backup failed",
    problem: expect.stringMatching(/^There is no room for .*\. No backup was written\.$/) as string,
  });
});

describe("the schedule stores for the screens", () => {
  const schedule = async (settings: Record<string, string>) => {
    const folder = makeFolder();
    const environment = { ...process.env, ...SECRETS, BACKUP_DIR: folder, DATA_DIR: folder, ...settings };
    const { stop } = scheduleBackups(environment, "UTC", 0);
    onTestFinished(stop);
    const isStored = () => {
      const status = readBackupStatus(folder);
      return status !== null && (status.success ?? status.failure) !== null;
    };
    await expect.poll(isStored, { timeout: 60_000 }).toBe(true);
    return { folder, status: readBackupStatus(folder) };
  };

  test("the newest archive of another instance", async () => {
    const folder = makeFolder();
    const [made, wrong] = [new Date(), new Date("2126-01-01T03:00:00Z")].map(nameAt);
    for (const name of [made, wrong]) writeFileSync(path.join(folder, name ?? ""), "x");
    const { stop } = scheduleBackups({ ...process.env, BACKUP_DIR: folder, DATA_DIR: folder }, "UTC", 0);
    onTestFinished(stop);
    await expect.poll(() => readBackupStatus(folder)).toMatchObject({ success: { bytes: 1 }, failure: null });
  });

  test("the reason of a failure", async () => {
    const { status } = await schedule({ DATABASE_URL: "postgresql://nobody@127.0.0.1:1/nothing" });
    expect(status).toMatchObject({
      success: null,
      failure: { reason: expect.stringContaining("The database cannot be reached") as string },
    });
  });

  test("the end of a process that gave no reason", async () => {
    const { status } = await schedule({ NODE_OPTIONS: "--import=data:text/javascript,process.exit(3)" });
    expect(status?.failure?.reason).toBe("The backup process ended (code 3).");
  });
});
