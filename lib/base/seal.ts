import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/*
 * Secrets in the database, encrypted with ENCRYPTION_KEY: version (1 byte), nonce (12), tag (16) and AES-256-GCM ciphertext.
 * The context, such as a host, is authenticated data, so a value copied to another row does not decrypt.
 */

const VERSION = 1;

/** Encrypts a text for one context. Two calls give different bytes. */
export function seal(encryptionKey: string, context: string, text: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", derive(encryptionKey), nonce);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]));
}

/** The text; null when it was encrypted for another context or with another key, and for damaged bytes. */
export function unseal(encryptionKey: string, context: string, sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed);
  if (bytes.length < 29 || bytes[0] !== VERSION) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", derive(encryptionKey), bytes.subarray(1, 13));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(13, 29));
    return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function derive(encryptionKey: string): Buffer {
  return Buffer.from(hkdfSync("sha256", encryptionKey, "", "host token", 32));
}
