import { createHash, randomBytes } from "node:crypto";
import { env } from "#lib/env.ts";
import type { LinkKind } from "./sql.ts";

const pages: Record<LinkKind, string> = { setup: "/setup", invite: "/invitation", reset: "/reset" };

/** A fresh token of 256 random bits, its stored hash, and the link that carries it. */
export function newLink(kind: LinkKind): { token_hash: Uint8Array<ArrayBuffer>; url: string } {
  const token = randomBytes(32).toString("base64url");
  return { token_hash: hashToken(token), url: `${env().PUBLIC_URL}${pages[kind]}?token=${token}` };
}

/** What is stored of a token: SHA-256, so that a copy of the database opens nothing. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token, "utf8").digest());
}
