import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readBackupStatus } from "#lib/base/backup-status.ts";
import { forgetEnv } from "#lib/base/env.ts";
import { verifyBackup } from "#lib/runtime/backup/backup.ts";
import {
  announceBackups,
  backUpWhenDue,
  makeNightlyBackup,
  archiveName,
} from "#lib/runtime/backup/nightly.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { SECRETS } from "./backup-database.ts";

vi.setConfig({ testTimeout: 120_000 });

const url = () => process.env.DATABASE_URL ?? "";
const at = (time: string) => new Date(time);

test("a backup is due once a night, at three o'clock of the time zone", () => {
  const nameAt = (time: string) => archiveName("Europe/Berlin", at(time));
  // 03:00 in Berlin.
  expect(nameAt("2026-11-20T02:00:00Z")).toBe("sluice-2026-11-20.zip");
  expect(nameAt("2026-11-21T01:59:00Z")).toBe("sluice-2026-11-20.zip");
  expect(nameAt("2026-11-21T02:00:00Z")).toBe("sluice-2026-11-21.zip");
});

test("the newest backups are kept; files with other names and of a wrong clock are left alone", async () => {
  const folder = makeFolder();
  const old = ["2026-11-17", "2026-11-18", "2026-11-19"].map((day) => `sluice-${day}.zip`);
  const others = ["by-hand.zip", "sluice-2026-11-01.zip.copy", "notes.txt", "sluice-2036-01-01.zip"];
  for (const name of [...old, ...others]) writeFileSync(path.join(folder, name), "x");
  const abandoned = path.join(folder, `${old[0]}.0a0a0a0a.partial`);
  writeFileSync(abandoned, "half");
  utimesSync(abandoned, new Date(), new Date(Date.now() - 2 * 3_600_000));
  const name = "sluice-2026-11-20.zip";
  await makeNightlyBackup({ url: url(), folder, keep: 3, name });
  expect(readdirSync(folder).sort()).toEqual([...old.slice(1), ...others, name].sort());
  await verifyBackup(path.join(folder, name));
  // The rights of an operator's folder are the operator's.
  expect(statSync(folder).mode & 0o777).toBe(0o711);
});

/** What the worker does every hour, with these settings. */
async function backUp(settings: Record<string, string>) {
  vi.stubEnv("DIRECT_URL", url());
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  forgetEnv();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    forgetEnv();
  });
  await backUpWhenDue();
  return readBackupStatus();
}

test("a missed backup is made once, also by two instances, and its time stored for the screens", async () => {
  const folder = makeFolder();
  vi.stubEnv("BACKUP_DIR", folder);
  forgetEnv();
  await announceBackups();
  expect(await readBackupStatus()).toMatchObject({ folder, success: null, failure: null });
  const [status] = await Promise.all([backUp({ BACKUP_DIR: folder }), backUp({ BACKUP_DIR: folder })]);
  const [name = "", ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  await verifyBackup(path.join(folder, name));
  expect(status).toMatchObject({ folder, success: { bytes: expect.any(Number) as number }, failure: null });
  await backUp({ BACKUP_DIR: folder });
  expect(readdirSync(folder)).toEqual([name]);
});

test("the reason of a failure is stored, beside the newest archive", async () => {
  const folder = makeFolder();
  const old = "sluice-2026-11-17.zip";
  writeFileSync(path.join(folder, old), "x");
  utimesSync(path.join(folder, old), at("2026-11-17T03:00:00Z"), at("2026-11-17T03:00:00Z"));
  const settings = { BACKUP_DIR: folder, DIRECT_URL: "postgresql://nobody@127.0.0.1:1/nothing" };
  expect(await backUp(settings)).toMatchObject({
    success: { bytes: 1, at: "2026-11-17T03:00:00.000Z" },
    failure: { reason: expect.stringContaining("The database cannot be reached") as string },
  });
  expect(readdirSync(folder)).toEqual([old]);
  expect(await backUp({ BACKUP_DIR: path.join(folder, old, "below") })).toMatchObject({
    failure: {
      reason: expect.stringMatching(/below cannot be written to .* No backup was written\.$/) as string,
    },
  });
});

test("a disk that fills leaves the former archives, no partial file and a sentence", async () => {
  const folder = makeFolder();
  const old = "sluice-2026-11-17.zip";
  writeFileSync(path.join(folder, old), "x");
  // Like a full disk, a limit of 4 KiB makes a write fail half-way.
  const child = spawn(
    "sh",
    ["-c", 'ulimit -f 8; exec "$@"', "sh", process.execPath, "--disable-warning=ExperimentalWarning"].concat(
      path.resolve("lib/runtime/cli/cli.ts"),
      ["backup", path.join(folder, "new.zip")],
    ),
    { env: { ...process.env, ...SECRETS, ENV_FILE: "" }, stdio: ["ignore", "ignore", "pipe"] },
  );
  expect(await text(child.stderr)).toMatch(/^There is no room for .*\. No backup was written\.\n$/);
  expect(readdirSync(folder)).toEqual([old]);
});
