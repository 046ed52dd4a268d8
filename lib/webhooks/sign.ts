import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/**
 * Headers of a message, as in Standard Webhooks: HMAC-SHA256 over id, time and body, one signature for each secret.
 *
 * @param seconds Unix time of the attempt
 */
export function signedHeaders(
  id: string,
  seconds: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
