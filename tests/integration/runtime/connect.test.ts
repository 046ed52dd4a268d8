import { connect as connectTo, createServer } from "node:net";
import pg from "pg";
import { describe, expect, inject, test, vi } from "vitest";
import { connect } from "#lib/runtime/postgres/connect.ts";
import { addressThrough, listen } from "#tests/setup/listen.ts";

test("a certificate that is not trusted is told with the settings that name its authority", async () => {
  const refused = Object.assign(new Error("self-signed certificate in certificate chain"), {
    code: "SELF_SIGNED_CERT_IN_CHAIN",
  });
  vi.spyOn(pg.Client.prototype, "connect").mockRejectedValue(refused);
  await expect(connect("postgresql://db.example/sluice?sslmode=verify-full", "sluice")).rejects.toThrow(
    "The database's certificate is not trusted here (self-signed certificate in certificate chain): use the host name of the certificate, and add sslrootcert=/path/to/authority.pem to DATABASE_URL, or start with NODE_EXTRA_CA_CERTS=/path/to/authority.pem in the environment.",
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
