import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { z } from "zod";

/*
 * The secrets of an installation, encrypted with AES-256-GCM under a key that scrypt derives from the passphrase.
 * The manifest is authenticated data: with the passphrase, a changed archive is detected.
 */

/** Needs 64 MiB and some tenths of a second for each guess. */
const COST = { N: 65_536, r: 8, p: 2 };
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

const Secrets = z.object({ AUTH_SECRET: z.string().min(1), ENCRYPTION_KEY: z.string().min(1) });
export type Secrets = z.infer<typeof Secrets>;

const base64 = z.string().transform((text) => Buffer.from(text, "base64"));
const Sealed = z.object({
  kdf: z.literal("scrypt"),
  cipher: z.literal("aes-256-gcm"),
  // Bounded, so that a crafted archive cannot ask for more memory or time.
  N: z.number().int().min(2).max(COST.N),
  r: z.number().int().min(1).max(COST.r),
  p: z.number().int().min(1).max(COST.p),
  salt: base64,
  nonce: base64,
  tag: base64,
  data: base64,
});

/** @returns JSON with everything but the passphrase that decryption needs */
export async function sealSecrets(secrets: Secrets, passphrase: string, manifest: string): Promise<string> {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", await deriveKey(passphrase, salt, COST), nonce);
  cipher.setAAD(Buffer.from(manifest));
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets), "utf8"), cipher.final()]);
  const encode = (bytes: Buffer) => bytes.toString("base64");
  return JSON.stringify(
    {
      kdf: "scrypt",
      cipher: "aes-256-gcm",
      ...COST,
      salt: encode(salt),
      nonce: encode(nonce),
      tag: encode(cipher.getAuthTag()),
      data: encode(data),
    },
    null,
    2,
  );
}

/** @returns null for another passphrase, or when the secrets or the manifest were changed */
export async function openSecrets(
  sealed: string,
  passphrase: string,
  manifest: string,
): Promise<Secrets | null> {
  try {
    const { salt, nonce, tag, data, ...cost } = Sealed.parse(JSON.parse(sealed));
    const key = await deriveKey(passphrase, salt, cost);
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(manifest));
    decipher.setAuthTag(tag);
    const text = Buffer.concat([decipher.update(data), decipher.final()]).toString("utf8");
    return Secrets.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function deriveKey(passphrase: string, salt: Buffer, { N, r, p }: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFC"), salt, 32, { N, r, p, maxmem: MAX_MEMORY_BYTES }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
