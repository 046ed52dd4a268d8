import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "./architecture/source-files.ts";

/* The example files for servers, read by the programs they are for. A program that is not installed checks nothing. */

const folder = mkdtempSync(path.join(tmpdir(), "sluice-contrib-"));
afterAll(() => rmSync(folder, { recursive: true }));

const contrib = (file: string) => path.join(ROOT, "contrib", file);

function run(program: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", cwd: folder });
  return { status, output: stdout + stderr };
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

test.runIf(isInstalled("systemd-analyze"))("the systemd unit is valid and restricted", () => {
  const verified = run("systemd-analyze", ["verify", "--recursive-errors=no", contrib("sluice.service")]);
  expect(verified.output).not.toMatch(/sluice\.service:\d+:|Unknown|Failed to parse/);
  const { output } = run("systemd-analyze", [
    "security",
    "--offline=true",
    "--no-pager",
    contrib("sluice.service"),
  ]);
  const [, exposure = "10"] = /Overall exposure level for sluice\.service: ([\d.]+)/.exec(output) ?? [];
  // systemd calls less than 2.5 "OK". A service without restrictions has 9.6.
  expect(Number(exposure)).toBeLessThan(2.5);
});

test.runIf(isInstalled("nginx"))("nginx accepts its file", () => {
  // A test of the configuration opens its sockets and reads its certificates.
  const site = readFileSync(contrib("nginx.conf"), "utf8")
    .replace(/^ *ssl_certificate.*$/gm, "")
    .replace(/^ *listen \[.*$/gm, "")
    .replace(/listen (\d+).*;/g, (_, port) => `listen unix:${folder}/${port};`);
  writeFileSync(path.join(folder, "site.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const main = `pid ${folder}/pid; error_log stderr; events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
      include ${folder}/site.conf;
    }`;
  writeFileSync(path.join(folder, "nginx.conf"), main);
  expect(run("nginx", ["-t", "-p", folder, "-c", path.join(folder, "nginx.conf")])).toMatchObject({
    status: 0,
  });
});

const hasCompose = spawnSync("docker", ["compose", "version"]).status === 0;
test.runIf(hasCompose)("Docker Compose accepts the file of several instances", () => {
  const file = contrib("compose-several.yaml");
  const settings = ["POSTGRES_PASSWORD", "PUBLIC_URL", "AUTH_SECRET", "ENCRYPTION_KEY"];
  writeFileSync(path.join(folder, "settings"), settings.map((name) => `${name}=made-up`).join("\n"));
  expect(run("docker", ["compose", "--env-file", "settings", "-f", file, "config", "--quiet"])).toMatchObject(
    {
      status: 0,
    },
  );
  expect(run("docker", ["compose", "-f", file, "config", "--quiet"]).status).not.toBe(0);
});

test.runIf(isInstalled("caddy"))("Caddy accepts its file", () => {
  expect(
    run("caddy", ["validate", "--adapter", "caddyfile", "--config", contrib("Caddyfile")]),
  ).toMatchObject({ status: 0 });
});
