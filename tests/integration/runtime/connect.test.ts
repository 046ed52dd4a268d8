import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect as connectTo, createServer } from "node:net";
import path from "node:path";
import { TLSSocket } from "node:tls";
import pg from "pg";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { createClient } from "#lib/base/db.ts";
import { parseEnv } from "#lib/base/env.ts";
import { connect } from "#lib/runtime/postgres/connect.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { addressThrough, listen } from "#tests/setup/listen.ts";

test("sslmode=require needs a certificate of the host by a known authority, which sslrootcert names", async () => {
  const folder = makeFolder();
  const [keyFile = "", certFile = ""] = ["key.pem", "authority.pem"].map((name) => path.join(folder, name));
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...names, ...files], {
    stdio: "ignore",
  });
  const tls = { isServer: true, key: readFileSync(keyFile), cert: readFileSync(certFile) };
  const target = new URL(process.env.DATABASE_URL ?? "");
  const proxy = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    // PostgreSQL's request for TLS, and its answer.
    socket.once("data", () => {
      const open = new TLSSocket(socket, tls);
      const upstream = connectTo(Number(target.port), target.hostname);
      open
        .on("error", () => upstream.destroy())
        .pipe(upstream.on("error", () => open.destroy()))
        .pipe(open);
      socket.write("S");
    });
  });
  const { port, close } = await listen(proxy);
  onTestFinished(close);
  const urlOf = (host: string, query: string) => {
    const url = new URL(addressThrough(target.href, port));
    url.hostname = host;
    return parseEnv({ DATABASE_URL: `${url.href}?${query}` }).DATABASE_URL ?? "";
  };
  const known = `sslmode=require&sslrootcert=${certFile}`;
  await (await connect(urlOf("localhost", known), "sluice")).end();
  const client = createClient(urlOf("localhost", known));
  expect(await client.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  await client.$disconnect();
  for (const url of [urlOf("localhost", "sslmode=require"), urlOf("127.0.0.1", known)])
    await expect(connect(url, "sluice")).rejects.toThrow(
      /^The database's certificate is not trusted here \(.+\): use the host name of the certificate, and add sslrootcert=\/path\/to\/authority.pem to DATABASE_URL, or start with NODE_EXTRA_CA_CERTS=\/path\/to\/authority.pem in the environment\.$/,
    );
});

describe("a start while all connections are in use", () => {
  test("waits until one is free, and says so when none becomes free", async () => {
    const admin = new pg.Client({ connectionString: inject("databaseServer").adminUrl });
    await admin.connect();
    const role = `full_${process.pid}`;
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'full' CONNECTION LIMIT 1`);
    const url = new URL(process.env.DATABASE_URL ?? "");
    url.username = role;
    url.password = "full";
    const other = new pg.Client({ connectionString: url.href });
    await other.connect();
    await expect(connect(url.href, "sluice", 0)).rejects.toThrow(
      /^The database has no connection left \(.*\): lower DATABASE_POOL_SIZE, or allow more connections\.$/,
    );
    const waiting = connect(url.href, "sluice");
    await other.end();
    await (await waiting).end();
    await admin.query(`DROP ROLE ${role}`);
    await admin.end();
  });
});

describe("a start while the database is away", () => {
  test("waits for a port that is closed at first", async () => {
    const target = new URL(process.env.DATABASE_URL ?? "");
    const proxy = createServer((socket) => {
      const upstream = connectTo(Number(target.port), target.hostname);
      for (const [end, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const)
        end.on("error", () => other.destroy()).pipe(other);
    });
    const { port, close } = await listen(proxy);
    await close();
    let isOpen = false;
    const waiting = connect(addressThrough(target.href, port), "sluice").then(async (client) => {
      expect(isOpen).toBe(true);
      await client.end();
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    isOpen = true;
    await listen(proxy, port);
    await waiting;
    await close();
  });

  test("does not wait after a wrong password, nor past its limit", async () => {
    const url = new URL(process.env.DATABASE_URL ?? "");
    url.password = "wrong";
    url.username = "nobody";
    const sentence = /^The database cannot be reached \(.+\): check DATABASE_URL\.$/;
    await expect(connect(url.href, "sluice", 1e9)).rejects.toThrow(sentence);
    await expect(connect("postgresql://nobody@127.0.0.1:1/nothing", "sluice", 0)).rejects.toThrow(sentence);
  });
});
